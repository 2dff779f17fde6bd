import { createSerialQueue } from './serialQueue';

describe('a serial queue', () => {
  it('begins when the one before has ended, in the order in which they were handed in', async () => {
    const enqueue = createSerialQueue();
    const heard: string[] = [];
    const work = (name: string) =>
      enqueue(async () => {
        heard.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        heard.push(`${name} ends`);
        return name;
      });
    await expect(Promise.all([work('first'), work('second'), work('third')])).resolves.toEqual([
      'first',
      'second',
      'third',
    ]);
    expect(heard).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('rejects only the call that fails, and goes on with the next', async () => {
    const enqueue = createSerialQueue();
    const failing = enqueue(() => Promise.reject(new Error('full')));
    const next = enqueue(() => Promise.resolve('stored'));
    await expect(failing).rejects.toThrow('full');
    await expect(next).resolves.toBe('stored');
  });
});
