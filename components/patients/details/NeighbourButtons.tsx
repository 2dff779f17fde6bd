import Router, { useRouter } from 'next/router';
import { useEffect, useRef, useState } from 'react';
import { useNeighbour, type Direction } from '../../../hooks/useNeighbour';
import { paths } from '../../../lib/paths';
import { readListPreferences } from '../listPreferences';
import { listingOf } from '../patientsUrl';
import styles from './NeighbourButtons.module.css';

interface NeighbourButtonsProps {
  patientId: number;
  userId: number;
}

const signs = { previous: '‹', next: '›' } as const satisfies Record<Direction, string>;

/**
 * The way to the patients before and after this one, in the order and with the filters of the list the user left. The
 * server is asked for them; who opens another page before it answers stays there.
 */
export function NeighbourButtons({ patientId, userId }: NeighbourButtonsProps) {
  const router = useRouter();
  const neighbourOf = useNeighbour();
  const [said, setSaid] = useState<{ patientId: number; text: string } | null>(null);
  const [awaited, setAwaited] = useState<Direction | null>(null);
  /** The press whose answer counts. */
  const press = useRef<object | null>(null);
  useEffect(() => {
    const forget = (): void => {
      press.current = null;
      setAwaited(null);
    };
    Router.events.on('routeChangeStart', forget);
    return () => {
      press.current = null;
      Router.events.off('routeChangeStart', forget);
    };
  }, []);
  const go = async (direction: Direction): Promise<void> => {
    const own = {};
    press.current = own;
    setAwaited(direction);
    setSaid(null);
    const found = await neighbourOf(listingOf(readListPreferences(userId).view), patientId, direction);
    if (press.current !== own) {
      return;
    }
    setAwaited(null);
    if (typeof found === 'number') {
      await router.push(paths.patientDetails([found]));
    } else {
      setSaid({ patientId, text: found.reason });
    }
  };
  return (
    <>
      <span role="status" className={styles.said}>
        {said?.patientId === patientId ? said.text : null}
      </span>
      {(['previous', 'next'] as const).map((direction) => (
        <button
          key={direction}
          type="button"
          className={styles.step}
          aria-label={`${direction === 'next' ? 'Next' : 'Previous'} patient`}
          title={`${direction === 'next' ? 'Next' : 'Previous'} patient`}
          aria-busy={awaited === direction}
          onClick={() => {
            if (awaited !== direction) {
              void go(direction);
            }
          }}
        >
          {signs[direction]}
        </button>
      ))}
    </>
  );
}
