import { offsetIfRepeated } from './repeatedHour';

it.each([
  ['Europe/Berlin', '2026-10-24T23:59:00Z', null],
  ['Europe/Berlin', '2026-10-25T00:00:00Z', 'UTC+02:00'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 'UTC+01:00'],
  ['Europe/Berlin', '2026-10-25T02:00:00Z', null],
  ['Europe/London', '2026-10-25T00:30:00Z', 'UTC+01:00'],
  ['Europe/London', '2026-10-25T01:30:00Z', 'UTC+00:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', 'UTC+10:30'],
  ['Europe/Berlin', '2026-03-29T01:30:00Z', null],
  ['UTC', '2026-10-25T01:00:00Z', null],
])('in %s at %s the offset beside the time is %s', (timeZone, at, offset) => {
  expect(offsetIfRepeated(Date.parse(at), timeZone)).toBe(offset);
});
