/** Refused samples of one answer. */
export const quarantinePageSize = 50;
