import { sql, type Kysely } from 'kysely';
import { createTestDatabase, engines, type TestDatabase } from '../../test/database';
import { audit } from '../audit';
import { system } from './actor';
import { openStore, type Store } from '../db/open';
import type { Database } from '../db/schema';
import { chainHash, type AuditRow } from './chain';
import { readHead, verifyAudit } from './verify';

const rowCount = 40;
const beganAt = Date.UTC(2026, 4, 1, 10);
/** What undoes a tampering in a test, whatever became of it. */
class Undo extends Error {}

/** Numbers that look random and are the same in every run (Lehmer's generator). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

describe.each(engines)('the chain of the audit on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let exported: string;
  beforeAll(async () => {
    database = await createTestDatabase(engine, true);
    store = await openStore(database);
    for (let row = 1; row <= rowCount; row += 1) {
      await audit(
        store.db,
        beganAt + row,
        { ...system, siteId: 1, actorId: row, session: `s${row}`, ip: '127.0.0.1', requestId: `r${row}` },
        { action: 'read_patient', outcome: 'done', objectType: 'patient', objectId: row, details: { count: row } },
      );
    }
    exported = (await readHead(store.db)).hash;
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  const rowsOf = (db: Kysely<Database>) => db.selectFrom('audit').selectAll().orderBy('id').execute();

  /** Changes the audit as only the database's owner can, verifies it, and undoes the change. */
  async function tampered(tamper: (db: Kysely<Database>) => Promise<void>, head: string | null = exported) {
    let found: Awaited<ReturnType<typeof verifyAudit>> | undefined;
    const tampering = store.db.transaction().execute(async (db) => {
      const triggers =
        engine === 'sqlite' ? ['audit_keeps_rows', 'audit_keeps_words', 'audit_keeps_places'] : ['audit_keeps_rows'];
      for (const name of triggers) {
        await sql.raw(`DROP TRIGGER ${name} ${engine === 'sqlite' ? '' : 'ON audit'}`).execute(db);
      }
      await tamper(db);
      found = await verifyAudit(db, head);
      throw new Undo();
    });
    await expect(tampering).rejects.toThrow(Undo);
    return found?.fault ?? null;
  }

  const put = async (db: Kysely<Database>, rows: AuditRow[]): Promise<void> => {
    await db.deleteFrom('audit').execute();
    if (rows.length > 0) {
      await db.insertInto('audit').values(rows).execute();
    }
  };
  const setHead = async (db: Kysely<Database>, last: AuditRow | undefined): Promise<void> => {
    await db
      .updateTable('audit_head')
      .set({ last_id: last?.id ?? 0, hash: last?.hash ?? '' })
      .execute();
  };
  const chained = (rows: AuditRow[]): AuditRow[] => {
    let previous = '';
    return rows.map((row, index) => {
      const renumbered = { ...row, id: index + 1 };
      previous = chainHash(previous, renumbered);
      return { ...renumbered, hash: previous };
    });
  };

  it('is whole as it was written, with an exported head and without', async () => {
    for (const head of [null, exported, (await rowsOf(store.db))[7]?.hash ?? '']) {
      await expect(verifyAudit(store.db, head)).resolves.toEqual({
        head: { id: rowCount, hash: exported },
        fault: null,
      });
    }
  });

  it('is whole before anything was written', async () => {
    const other = await createTestDatabase(engine, true);
    const empty = await openStore(other);
    await expect(verifyAudit(empty.db, null)).resolves.toEqual({ head: { id: 0, hash: '' }, fault: null });
    await empty.close();
    await other.remove();
  });

  const kinds = ['edit', 'delete', 'insert', 'swap', 'cut off', 'rewrite'] as const;
  const roll = dice(20_260_501);
  const cases = Array.from({ length: 50 }, (_, index) => ({
    kind: kinds[index % kinds.length] ?? 'edit',
    at: roll(rowCount - 1),
    by: roll(1_000),
  }));

  interface Tampering {
    rows: AuditRow[];
    /** Whether the head in the database is made to fit. */
    fits: boolean;
    fault: { row: number | null; why: unknown };
  }

  function tamperingOf({ kind, at, by }: (typeof cases)[number], rows: AuditRow[]): Tampering {
    const row = rows[at];
    const other = rows[at + 1 + (by % (rowCount - at - 1))];
    if (row === undefined || other === undefined) {
      throw new Error('no such row');
    }
    const forged: AuditRow = { ...row, actor_id: 7_000 + by };
    const changed = { row: row.id, why: 'is not what was written' };
    const gone = { row: null, why: expect.stringContaining('exported head') as unknown };
    switch (kind) {
      case 'edit': {
        const columns = [
          'at',
          'site_id',
          'actor_id',
          'object_id',
          'session',
          'ip',
          'request_id',
          'action',
          'outcome',
          'details',
          'hash',
        ] as const;
        const column = columns[by % columns.length] ?? 'at';
        const edited = { ...row, [column]: typeof row[column] === 'number' ? 9_999 : `x${String(row[column])}` };
        return { rows: rows.with(at, edited), fits: false, fault: changed };
      }
      case 'delete':
        return { rows: rows.toSpliced(at, 1), fits: false, fault: { row: row.id, why: 'is missing' } };
      case 'insert': {
        const later = rows.slice(at).map((each) => ({ ...each, id: each.id + 1 }));
        return { rows: [...rows.slice(0, at), forged, ...later], fits: true, fault: changed };
      }
      case 'swap': {
        const swapped = rows.with(at, { ...other, id: row.id }).with(rows.indexOf(other), { ...row, id: other.id });
        return { rows: swapped, fits: false, fault: changed };
      }
      case 'cut off':
        return { rows: rows.slice(0, at), fits: true, fault: gone };
      case 'rewrite':
        return { rows: chained(rows.with(at, forged)), fits: true, fault: gone };
      default:
        return kind satisfies never;
    }
  }

  it.each(cases)('shows a tampering: $kind at $at ($by)', async (each) => {
    const { rows, fits, fault } = tamperingOf(each, await rowsOf(store.db));
    const found = tampered(async (db) => {
      await put(db, rows);
      if (fits) {
        await setHead(db, rows.at(-1));
      }
    });
    await expect(found).resolves.toEqual(fault);
  });

  it('shows rows that were added before the first one or behind the last one', async () => {
    const rows = await rowsOf(store.db);
    const [first] = rows;
    if (first === undefined) {
      throw new Error('no row');
    }
    await expect(tampered((db) => put(db, [{ ...first, id: 0 }, ...rows]), null)).resolves.toEqual({
      row: 0,
      why: 'is not what was written',
    });
    const longer = chained([...rows, first]);
    await expect(tampered((db) => put(db, longer), null)).resolves.toEqual({
      row: rowCount + 1,
      why: 'was not written by Wardlight',
    });
  });

  it('shows a cut-off end even without an exported head, unless the head in the database was changed too', async () => {
    const rows = await rowsOf(store.db);
    await expect(tampered((db) => put(db, rows.slice(0, -1)), null)).resolves.toEqual({
      row: rowCount,
      why: 'is missing',
    });
    await expect(tampered((db) => put(db, []), null)).resolves.toEqual({ row: 1, why: 'is missing' });
  });
});

describe.each(engines)('concurrent actions on %s', (engine) => {
  it('make one chain without a fork or a gap, and a failed action leaves none', async () => {
    const database = await createTestDatabase(engine, true);
    const { db, close } = await openStore(database);
    const act = (index: number) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('progress')
          .values({ name: `act ${index}`, value: index })
          .execute();
        await audit(transaction, beganAt, system, {
          action: 'read_patient',
          outcome: 'done',
          objectType: 'patient',
          objectId: index,
        });
        if (index % 5 === 0) {
          throw new Error('the act failed');
        }
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, index) => act(index)));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(12);
    const { head, fault } = await verifyAudit(db, null);
    expect([head.id, fault]).toEqual([48, null]);
    await expect(
      db.selectFrom('progress').select('name').where('name', 'like', 'act %').execute(),
    ).resolves.toHaveLength(48);
    await close();
    await database.remove();
  });
});
