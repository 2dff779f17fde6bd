import Link from 'next/link';
import { useState } from 'react';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { useWall } from '../../hooks/useWall';
import { bedlessText } from '../../lib/patients/bedlessText';
import { paths } from '../../lib/paths';
import { holdBeds, type WallPlace } from '../../lib/wall/holdBeds';
import { mostBeds, type Wall } from '../../lib/wall/schema';
import { tileTexts } from '../../lib/wall/tileTexts';
import { NotShowingPatients } from '../ui/NotShowingPatients';
import type { ScreenProps } from '../ui/screenPage';
import { Tile } from './Tile';
import { WallHeader } from './WallHeader';
import styles from './WallScreen.module.css';

interface WallScreenProps extends ScreenProps {
  /** Null: the user's own unit, or all that they reach. */
  unitId: number | null;
  first: Wall;
}

/** Up to this many beds the tiles are large: 6 x 4, else 8 x 6 (screens.md section 9). */
const mostLarge = 24;

/** All beds of a unit on one screen, by bed: nothing is paged, nothing moves, and there is nothing to click. */
export function WallScreen({ user, now: initialNow, unitId, first }: WallScreenProps) {
  const { data, error } = useWall(unitId, first);
  const wall = data ?? first;
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  const places = useHeldBeds(wall);
  const { timeZone, name } = user.site;
  if (data === undefined) {
    // Not even what came with the page: the screen may no longer show this unit.
    return <NotShowingPatients>This screen has no access to this unit. Ask your administrator.</NotShowingPatients>;
  }
  return (
    <>
      <WallHeader
        title={wall.unit?.name ?? name}
        missing={missingText(wall)}
        issueReport={wall.issueReport}
        silentGateways={wall.silentGateways}
        now={now}
        userId={user.id}
        serverLost={serverLost}
        error={error}
        timeZone={timeZone}
      />
      {wall.tiles.length === 0 && wall.total > mostBeds ? (
        <UnitChoice wall={wall} />
      ) : places.length === 0 ? (
        <p className={styles.message}>No patients here.</p>
      ) : (
        <ul className={styles.wall} data-size={places.length > mostLarge ? 'small' : 'large'}>
          {places.map(({ key, unit, bed, tile }) => (
            <Tile
              key={key}
              place={placeText(wall, unit, bed, tile)}
              texts={tile === null ? null : tileTexts(tile, { now, serverLost, timeZone })}
            />
          ))}
        </ul>
      )}
    </>
  );
}

/** Keeps the places of beds whose patients leave while the wall is shown. */
function useHeldBeds(wall: Wall): readonly WallPlace[] {
  const [held, setHeld] = useState(() => ({ wall, places: holdBeds([], wall.tiles) }));
  if (held.wall === wall) {
    return held.places;
  }
  // A place is named by its unit: under another name it is another place.
  const isSame = unitsOf(held.wall) === unitsOf(wall);
  const next = { wall, places: holdBeds(isSame ? held.places : [], wall.tiles) };
  setHeld(next);
  return next.places;
}

const unitsOf = ({ unit, units }: Wall): string => JSON.stringify([unit, units]);

/** On the wall of one unit the bed is enough. The bed first: where there is no room, the unit is cut. */
function placeText(wall: Wall, unit: string | null, bed: string | null, tile: WallPlace['tile']): string {
  return bed === null
    ? bedlessText(tile?.profile ?? 'continuous')
    : wall.unit === null && unit !== null
      ? `${bed} · ${unit}`
      : bed;
}

/** Who is not on this wall: those for whom it has no room, and those without a unit. */
function missingText({ total, tiles, withoutUnit }: Wall): string | null {
  const parts: string[] = [];
  if (tiles.length > 0 && total > tiles.length) {
    parts.push(`${total - tiles.length} of ${total} patients have no room here, alerts come first`);
  }
  if (withoutUnit.total > 0) {
    const alerts = withoutUnit.alerting === 0 ? '' : `, ${withoutUnit.alerting} with an alert`;
    parts.push(`${withoutUnit.total} without a unit${alerts}: not on this wall`);
  }
  return parts.length === 0 ? null : parts.join(' · ');
}

function UnitChoice({ wall }: { wall: Wall }) {
  return (
    <div className={styles.message}>
      <h2>Choose a unit</h2>
      <p>
        {wall.total} patients: a wall shows at most {mostBeds}.
      </p>
      <ul className={styles.units}>
        {wall.units.map(({ id, name }) => (
          <li key={id}>
            <Link href={paths.wallOf(id)} prefetch={false}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
