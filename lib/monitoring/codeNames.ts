/**
 * The names of errors and functions that a report may carry. Code can give both any name: `{ [name]: () => 0 }` names
 * a function after a patient. So only names that the engine, a library or our own code always writes pass.
 */
const errorNames: ReadonlySet<string> = new Set([
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'InternalError',
  'UnhandledRejection',
  // Browsers' (DOMException).
  'AbortError',
  'DataCloneError',
  'DataError',
  'EncodingError',
  'HierarchyRequestError',
  'InvalidAccessError',
  'InvalidCharacterError',
  'InvalidStateError',
  'NetworkError',
  'NoModificationAllowedError',
  'NotAllowedError',
  'NotFoundError',
  'NotReadableError',
  'NotSupportedError',
  'OperationError',
  'QuotaExceededError',
  'SecurityError',
  'TimeoutError',
  'UnknownError',
  'WrongDocumentError',
  // Libraries'.
  'AxiosError',
  'CanceledError',
  'ChunkLoadError',
  'FastifyError',
  'PageNotFoundError',
  'SqliteError',
  'ZodError',
  // What pg calls that of the database.
  'error',
  // Our own.
  'ApiFailure',
  'FileLocked',
  'HttpError',
  'Hung',
  'TakenOver',
  'TakesNoWrites',
  'UnreadableRecording',
]);

const engineFunctions: ReadonlySet<string> = new Set([
  '<anonymous>',
  'Array.every',
  'Array.filter',
  'Array.find',
  'Array.flatMap',
  'Array.forEach',
  'Array.map',
  'Array.reduce',
  'Array.some',
  'Array.sort',
  'Date.toISOString',
  'Function.apply',
  'Function.call',
  'JSON.parse',
  'JSON.stringify',
  'Map.forEach',
  'Object.assign',
  'Object.fromEntries',
  'Promise.all',
  'Set.forEach',
  'String.replace',
  'new Promise',
  'process.processTicksAndRejections',
]);

/** Returns the name of an error as a report has it: "OtherError" for one that is not known. */
export function errorName(name: string): string {
  return errorNames.has(name) ? name : 'OtherError';
}

/** Returns the name of a function as a report has it: "?", Sentry's word for none, unless the engine wrote it. */
export function functionName(name: string): string {
  return engineFunctions.has(name) ? name : '?';
}
