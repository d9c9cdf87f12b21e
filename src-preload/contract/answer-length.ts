/** The limit of the user's answer to a question of the model, in characters. */
export const MAX_ANSWER_LENGTH = 20_000;
