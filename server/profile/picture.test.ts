import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { PictureType } from '../../lib/profile/schema';
import { remakePicture } from './picture';

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } });
const png = async () => await blank(300, 200).png().toBuffer();
const jpeg = async () => await blank(300, 200).jpeg({ progressive: true }).toBuffer();

/** Returns a PNG that claims this size and holds almost no data. */
function flood(width: number, height: number): Buffer {
  const header = Buffer.concat([Buffer.from('IHDR'), Buffer.alloc(13)]);
  header.writeUInt32BE(width, 4);
  header.writeUInt32BE(height, 8);
  header.set([8, 2, 0, 0, 0], 12);
  const chunk = (content: Buffer): Buffer => {
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(content.length - 4, 0);
    ends.writeUInt32BE(crc32(content), 4);
    return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk(header), chunk(Buffer.from('IDAT')), chunk(Buffer.from('IEND'))]);
}

describe('a picture', () => {
  const zip = Buffer.concat([
    Buffer.from('PK\u0003\u0004'),
    Buffer.alloc(40),
    Buffer.from('PK\u0005\u0006'),
    Buffer.alloc(18),
  ]);
  const refused: [what: string, type: PictureType, file: () => Buffer | Promise<Buffer>, status: number][] = [
    ['a GIF', 'image/png', async () => await blank(9, 9).gif().toBuffer(), 415],
    ['a WebP', 'image/jpeg', async () => await blank(9, 9).webp().toBuffer(), 415],
    ['an SVG', 'image/png', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 415],
    ['a page', 'image/jpeg', () => Buffer.from('<!doctype html><script>1</script>'), 415],
    ['an archive', 'image/png', () => zip, 415],
    ['a PNG that says it is a JPEG', 'image/jpeg', png, 415],
    ['a JPEG that says it is a PNG', 'image/png', jpeg, 415],
    ['a PNG with an archive behind it', 'image/png', async () => Buffer.concat([await png(), zip]), 422],
    ['a JPEG with an archive behind it', 'image/jpeg', async () => Buffer.concat([await jpeg(), zip]), 422],
    [
      'a JPEG with a script behind it',
      'image/jpeg',
      async () => Buffer.concat([await jpeg(), Buffer.from('<script>1</script>')]),
      422,
    ],
    ['half a PNG', 'image/png', async () => (await png()).subarray(0, 200), 422],
    ['half a JPEG', 'image/jpeg', async () => (await jpeg()).subarray(0, 400), 422],
    ['the first bytes of a PNG', 'image/png', async () => (await png()).subarray(0, 8), 422],
    ['the first bytes of a JPEG', 'image/jpeg', async () => (await jpeg()).subarray(0, 3), 422],
    ['a PNG with a bit turned', 'image/png', async () => turned(await png(), 20), 422],
    ['a PNG of a billion pixels', 'image/png', () => flood(65_535, 65_535), 422],
    ['a PNG of one pixel more than allowed', 'image/png', () => flood(40_000_001, 1), 422],
  ];

  it.each(refused)('is not %s', async (_, type, file, status) => {
    await expect(remakePicture(await file(), type)).rejects.toMatchObject({ status });
  });

  it('is never taken to be one by any cut of one', async () => {
    for (const [type, whole] of [['image/png', await png()] as const, ['image/jpeg', await jpeg()] as const]) {
      for (let length = 0; length < whole.length; length += 7) {
        await expect(remakePicture(whole.subarray(0, length), type)).rejects.toMatchObject({
          status: expect.any(Number) as number,
        });
      }
    }
  });

  it.each(['image/png', 'image/jpeg'] as const)(
    'sent as %s becomes a square PNG without what was written into it',
    async (type) => {
      const marked = blank(300, 200).withExif({
        IFD0: { Artist: 'hidden-words' },
        IFD3: { GPSLatitude: '51/1 30/1 0/1' },
      });
      const file = await (type === 'image/png' ? marked.png() : marked.jpeg()).toBuffer();
      expect(file.includes('hidden-words')).toBe(true);
      const made = await remakePicture(file, type);
      const { format, width, height, exif, icc } = await sharp(made).metadata();
      expect({ format, width, height, exif, icc }).toEqual({
        format: 'png',
        width: 256,
        height: 256,
        exif: undefined,
        icc: undefined,
      });
      expect(made.includes('hidden-words')).toBe(false);
    },
  );

  it('is upright however the camera was held', async () => {
    const left = await blank(40, 80).png().toBuffer();
    const file = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'white' } })
      .composite([{ input: left, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    // After a quarter turn to the right, the left side is at the top.
    const { data } = await sharp(await remakePicture(file, 'image/jpeg'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const redAt = (x: number, y: number): number => data[(y * 256 + x) * 3] ?? -1;
    expect([redAt(230, 20) < 60, redAt(20, 230) > 200]).toEqual([true, true]);
  });
});

function turned(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
