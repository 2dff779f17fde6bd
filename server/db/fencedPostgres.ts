import {
  CompiledQuery,
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type Driver,
  type PostgresPool,
} from 'kysely';
import { readOpening, type Fence } from './fence';

/**
 * Reads the number of the newest process and keeps it until the commit: the next process, which counts it on, waits
 * for this transaction and then reads what it stored.
 */
export const holdOpening = `${readOpening} FOR SHARE`;

/** Kysely on PostgreSQL, whose transactions ask the fence before they commit. */
export class FencedPostgres extends PostgresDialect {
  readonly #pool: PostgresPool;
  readonly #fence: Fence;

  constructor(pool: PostgresPool, fence: Fence) {
    super({ pool });
    this.#pool = pool;
    this.#fence = fence;
  }

  override createDriver(): Driver {
    return new FencedDriver(this.#pool, this.#fence);
  }
}

class FencedDriver extends PostgresDriver {
  readonly #fence: Fence;

  constructor(pool: PostgresPool, fence: Fence) {
    super({ pool });
    this.#fence = fence;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { rows } = await connection.executeQuery<{ value: number }>(CompiledQuery.raw(holdOpening));
    this.#fence.check(rows[0]?.value);
    await super.commitTransaction(connection);
  }
}
