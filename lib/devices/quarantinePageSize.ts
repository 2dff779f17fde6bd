/** Refused samples in one response. */
export const quarantinePageSize = 50;
