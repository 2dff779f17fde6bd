import client from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { hydrateInSlices } from './hydrateInSlices';

/** The task in which each of some slow components was hydrated. */
async function tasksOfHydration(): Promise<Set<number>> {
  let task = 0;
  let isOver = false;
  const count = (): void => {
    task += 1;
    if (!isOver) {
      setTimeout(count);
    }
  };
  const seen = new Set<number>();
  const Slow = () => {
    const end = performance.now() + 3;
    while (performance.now() < end) {
      // A component that takes 3 ms.
    }
    seen.add(task);
    return <p>1</p>;
  };
  const slow = (hydrated?: () => void) => (
    <div ref={hydrated}>
      {Array.from({ length: 12 }, (_, id) => (
        <Slow key={id} />
      ))}
    </div>
  );
  const root = document.createElement('div');
  root.innerHTML = renderToString(slow());
  seen.clear();
  count();
  await new Promise<void>((resolve) => {
    client.hydrateRoot(root, slow(resolve));
  });
  isOver = true;
  return seen;
}

it('a page is hydrated in several tasks, so that the browser can scroll and paint between them', async () => {
  expect((await tasksOfHydration()).size).toBe(1);
  hydrateInSlices();
  expect((await tasksOfHydration()).size).toBeGreaterThan(2);
});
