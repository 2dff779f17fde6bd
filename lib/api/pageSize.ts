/** The most rows that one page of a list carries, and how many it carries unless asked. */
export const maxPageSize = 500;
export const defaultPageSize = 25;
