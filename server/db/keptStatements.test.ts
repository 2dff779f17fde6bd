import { keptStatements } from './keptStatements';

it('a text is compiled once', () => {
  const compiled: string[] = [];
  const prepare = keptStatements((text) => compiled.push(text));
  const first = prepare('SELECT 1');
  prepare('SELECT 2');

  expect(prepare('SELECT 1')).toBe(first);
  expect(compiled).toEqual(['SELECT 1', 'SELECT 2']);
});

it('one that does not compile is tried again', () => {
  const prepare = keptStatements((text) => {
    throw new Error(text);
  });

  expect(() => prepare('SELECT')).toThrow('SELECT');
  expect(() => prepare('SELECT')).toThrow('SELECT');
});

it('of texts without end the newest 200 are kept', () => {
  const compiled: string[] = [];
  const prepare = keptStatements((text) => compiled.push(text));
  for (let count = 0; count <= 200; count += 1) {
    prepare(`SELECT ${count}`);
  }
  prepare('SELECT 1');
  prepare('SELECT 200');

  expect(compiled).toHaveLength(201);

  prepare('SELECT 0');

  expect(compiled.at(-1)).toBe('SELECT 0');
});
