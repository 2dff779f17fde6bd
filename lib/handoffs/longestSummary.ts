/** The longest summary, in characters. Without zod, because the form below the charts counts them. */
export const longestSummary = 4_000;
