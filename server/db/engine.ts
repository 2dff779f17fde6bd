/** The database that holds the store. */
export type Engine = 'sqlite' | 'postgres';
