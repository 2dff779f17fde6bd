/** What our tests use of the package, which has no types of its own. */
declare module '@lhncbc/ucum-lhc' {
  export class UcumLhcUtils {
    static getInstance(): UcumLhcUtils;
    /** `toVal` is null if the status is not "succeeded". */
    convertUnitTo(from: string, value: number, to: string): { status: string; toVal: number | null };
  }
}
