/** A skill in a folder of the profile or the workspace. Texts of the workspace are untrusted. */
export interface ListedSkill {
  readonly name: string;
  /** The description, or the reason why a skill is unusable. */
  readonly description: string;
  readonly from: 'profile' | 'workspace';
  /** An `unconfirmed` skill is in a folder whose skills the user has not allowed, or that have changed since. */
  readonly state: 'on' | 'off' | 'unconfirmed' | 'unusable';
  /** `tools.disabled` covers its name, so that it stays off whatever its own switch says. */
  readonly isOffAsTool?: true;
}
