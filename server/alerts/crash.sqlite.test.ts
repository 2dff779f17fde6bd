import { expectNoAlertLost } from '../../test/expectNoAlertLost';

// A file for each engine, because the two need about as long and run side by side.
it('loses and doubles no alert on SQLite, however often the process dies while values come in', async () => {
  await expectNoAlertLost('sqlite', { kills: 12 });
}, 600_000);
