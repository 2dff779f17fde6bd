import { kinds, type VitalKind } from '../../lib/vitals/kinds';

/** The short name of a kind, with the 2 of SpO2 and O2 set low as clinicians write it. */
export function VitalLabel({ kind }: { kind: VitalKind }) {
  const [before, ...after] = kinds[kind].label.split('O2');
  if (after.length === 0) {
    return before;
  }
  return (
    <>
      {before}O<sub>2</sub>
      {after.join('O2')}
    </>
  );
}
