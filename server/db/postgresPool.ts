import pg from 'pg';

/** What PostgreSQL cancels, and what this process gives up, in milliseconds. */
export interface PostgresLimits {
  /** PostgreSQL cancels a statement, also one that waits for a lock. */
  statement_timeout?: number;
  /** PostgreSQL gives up waiting for a lock. */
  lock_timeout?: number;
  /** This process waits no longer for a response: PostgreSQL or the way to it is frozen. */
  query_timeout?: number;
  /** PostgreSQL ends a transaction whose process does nothing, as one that hangs or lost its way here. */
  idle_in_transaction_session_timeout?: number;
}

/** Says to the operating system when to ask whether the other side is still there, and for how long to connect. */
export const reachable = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: 5_000 };

/**
 * Creates a pool of connections. One that the database closes or that does not respond in time is thrown away, and the
 * next query opens another.
 */
export function createPostgresPool(databaseUrl: string, max: number, limits: PostgresLimits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'wardlight',
    max,
    ...reachable,
    ...limits,
  });
  // An idle connection that the database closes must not end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // The same while it is in use; its query fails as well and says so.
    client.on('error', () => undefined);
    endIfFrozen(client);
  });
  return pool;
}

/**
 * Ends a connection as soon as a query on it got no response in time. The next query, a rollback as a rule, would wait
 * behind that one, and so would everybody who gets the connection from the pool after it.
 */
function endIfFrozen(client: pg.PoolClient): void {
  client.query = new Proxy(client.query, {
    apply: (query, self, given) => {
      const result: unknown = Reflect.apply(query, self, given);
      if (result instanceof Promise) {
        result.catch((error: unknown) => {
          if (error instanceof Error && error.message === 'Query read timeout') {
            // With a query in progress it closes the socket and waits for nothing.
            void client.end();
          }
        });
      }
      return result;
    },
  });
}
