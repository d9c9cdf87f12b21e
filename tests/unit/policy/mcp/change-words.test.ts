import { expect, test } from 'vitest';
import { soundsLikeChange } from '../../../../src-main/policy/mcp/change-words.ts';

test.each(
  `create_issue updateTask delete-file removeItem send_mail write setFlag add_comment editPage move_card rename_file post_message put_object
   publishDraft notify_team email_report forwardMessage issue_comment resolve_thread reject approve_request book_table trash transition_issue
   migrateDb rotate_keys print_page log_event dispatch signDocument checkout_branch playTrack sql_query exec run_tests jira_issue_create
   user.delete HTTPSend getOrCreateUser search_and_replace list_then_remove get_delete_all readAndForward ＤＥＬＥＴＥ_all sends updated
   deleting stopping tries_delete applies`.split(/\s+/),
)('%s sounds like a change', (name) => {
  expect(soundsLikeChange(name)).toBe(true);
});

test.each(
  `list_issues getUser search_files read_graph fetch_url query_docs find describe_table get_comments list_transitions get_post
   slack_get_thread_replies listUpdates search_logs getPlaylist echo system_info count getSettings current_time directory_tree`.split(
    /\s+/,
  ),
)('%s does not', (name) => {
  expect(soundsLikeChange(name)).toBe(false);
});
