import { dequal } from 'dequal/lite';
import { memo } from 'react';
import { figureSizes } from '../../lib/wall/figureSizes';
import type { TileNumber, TileTexts } from '../../lib/wall/tileTexts';
import { MarkedNumber } from '../ui/MarkedNumber';
import { PriorityShape } from '../ui/PriorityShape';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './Tile.module.css';

interface TileProps {
  place: string;
  /** Null: the bed is empty. */
  texts: TileTexts | null;
}

/** One bed. It is drawn again only if one of its texts changes. Each of its lines has its room while it is empty. */
export const Tile = memo(function Tile({ place, texts }: TileProps) {
  const { alert = null } = texts ?? {};
  const sizes = texts === null ? null : figureSizes(texts);
  return (
    <li
      className={styles.tile}
      data-tile={texts === null ? 'empty' : (alert?.look ?? 'none')}
      data-priority={alert?.priority}
    >
      <div className={styles.head}>
        {alert === null ? null : (
          <span className={styles.shape}>
            <PriorityShape priority={alert.priority} look={alert.look} />
          </span>
        )}
        <strong className={styles.bed} title={place}>
          {place}
        </strong>
        <span className={styles.initials}>{texts?.initials}</span>
      </div>
      {texts === null ? (
        <p className={styles.empty}>Empty</p>
      ) : (
        <>
          <div className={styles.numbers}>
            <Figure value={texts.spo2} className={styles.spo2} size={sizes?.spo2} />
            <Figure value={texts.rate} className={styles.rate} size={sizes?.rate} />
          </div>
          <div className={styles.words}>
            {alert === null ? null : (
              <span className={styles.alert}>
                <span className="visually-hidden">{alert.priority}-priority alert: </span>
                {alert.words}
              </span>
            )}
            <span className={styles.notes}>{texts.notes}</span>
          </div>
        </>
      )}
    </li>
  );
}, dequal);

interface FigureProps {
  value: TileNumber;
  className: string | undefined;
  /** Of its type, as CSS. */
  size: string | undefined;
}

function Figure({ value, className, size }: FigureProps) {
  const { kind, state, number, isQuestionable, isStruck, note, mark } = value;
  return (
    <div className={styles.figure} data-state={state}>
      <span className={styles.label}>
        <VitalLabel kind={kind} />
      </span>
      <span className={className} style={{ fontSize: size }} data-number="">
        {mark === null ? null : <span className="visually-hidden">{mark.words}, </span>}
        <MarkedNumber mark={mark}>
          {isStruck ? <s>{number}</s> : number}
          {isQuestionable ? '?' : null}
        </MarkedNumber>
      </span>
      <span className={styles.note}>{note}</span>
    </div>
  );
}
