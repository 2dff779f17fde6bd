import { pictureEdge, type PictureType } from '../../lib/profile/schema';
import { HttpError } from '../http/httpError';

/** The most pixels of an uploaded picture (security.md 2.6): a file of a few bytes can claim a billion. */
const maxPixels = 40_000_000;

const notThatType = (): HttpError => new HttpError(415, 'not_a_picture', 'The file is not a PNG or JPEG picture.');
const unreadable = (): HttpError =>
  new HttpError(422, 'unreadable_picture', 'The picture is damaged, or holds more than a picture.');

/**
 * Returns an uploaded picture as a new PNG of 256 x 256 pixels, which has only the centre of the original, so that it
 * carries neither a location nor a script. Rejects with 415 if the file does not begin like its type, and with 422 if
 * it is damaged, has bytes after its end, or more than 40 million pixels.
 */
export async function remakePicture(file: Buffer, type: PictureType): Promise<Buffer> {
  const end = endOf(file, type);
  if (end !== file.length) {
    throw unreadable();
  }
  // Loaded with the first picture, because most servers never get one and libvips takes 20 MB.
  const { default: sharp } = await import('sharp');
  // One thread and no cache: pictures are rare, and the vital signs come first.
  sharp.concurrency(1);
  sharp.cache(false);
  const source = sharp(file, { limitInputPixels: maxPixels, failOn: 'warning' });
  try {
    const { width, height, format } = await source.metadata();
    if (format !== type.slice('image/'.length)) {
      throw notThatType();
    }
    if (width * height > maxPixels) {
      throw new HttpError(422, 'picture_too_large', 'The picture has more than 40 million pixels.');
    }
    return await source.autoOrient().resize(pictureEdge, pictureEdge, { fit: 'cover' }).png().toBuffer();
  } catch (error) {
    throw error instanceof HttpError ? error : unreadable();
  }
}

/** Returns the offset of the picture's end in the file, or null if it has none. */
function endOf(file: Buffer, type: PictureType): number | null {
  switch (type) {
    case 'image/png':
      return endOfPng(file);
    case 'image/jpeg':
      return endOfJpeg(file);
    default:
      return type satisfies never;
  }
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the end of a PNG: a series of chunks (length, name, content, checksum), the last of them IEND. */
function endOfPng(file: Buffer): number | null {
  if (!file.subarray(0, 8).equals(pngSignature)) {
    throw notThatType();
  }
  let at = 8;
  while (at + 12 <= file.length) {
    const name = file.toString('latin1', at + 4, at + 8);
    at += 12 + file.readUInt32BE(at);
    if (name === 'IEND') {
      return at;
    }
  }
  return null;
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

/**
 * Returns the end of a JPEG: a series of segments, each a marker and its length. After the start of a scan come coded
 * bytes up to the next marker.
 */
function endOfJpeg(file: Buffer): number | null {
  if (file.length < 3 || file[0] !== 0xff || file[1] !== 0xd8 || file[2] !== 0xff) {
    throw notThatType();
  }
  let at = 2;
  while (at + 2 <= file.length) {
    const marker = file[at + 1];
    if (file[at] !== 0xff || marker === undefined) {
      return null;
    }
    if (marker === 0xff) {
      at += 1;
    } else if (marker === endOfImage) {
      return at + 2;
    } else if (at + 4 > file.length) {
      return null;
    } else {
      at += 2 + file.readUInt16BE(at + 2);
      if (marker === startOfScan) {
        at = afterScan(file, at);
      }
    }
  }
  return null;
}

/** Skips coded bytes. In them 0xff is followed by 0 or by a restart marker. */
function afterScan(file: Buffer, start: number): number {
  let at = file.indexOf(0xff, start);
  while (at !== -1) {
    const next = file[at + 1] ?? 0xff;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) {
      return at;
    }
    at = file.indexOf(0xff, at + 2);
  }
  return file.length;
}
