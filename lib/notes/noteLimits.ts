/** The longest text, in characters: about four pages. Without zod, because the form below the charts counts them. */
export const longestNote = 10_000;
/** A note mentions at most so many colleagues. */
export const mostMentions = 20;
