import { crashRounds } from '../../test/crashRounds';
import { expectNoAlertLost } from '../../test/expectNoAlertLost';

const kills = crashRounds(4);

// A file for each engine, because the two need about as long and run side by side.
it(
  'loses and doubles no alert on PostgreSQL, however often the process dies while values come in',
  async () => {
    await expectNoAlertLost('postgres', { kills });
  },
  540_000 + kills * 15_000,
);
