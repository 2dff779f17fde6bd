/** The most rows on one page of a list, and the number if the query names none. */
export const maxPageSize = 500;
export const defaultPageSize = 25;
