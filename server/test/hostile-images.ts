import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'

/** Found in the bytes that a hostile file carries along; must not be found in what we make of it. */
export const mark = 'HOSTILE-PAYLOAD'
const script = `<script>alert("${mark}")</script>`

export interface Hostile {
  readonly name: string
  readonly bytes: Buffer
  /** `refused`: 11030. `clean`: a picture that holds nothing of it. `either`: as the decoder thinks, but never more than that. */
  readonly becomes: 'refused' | 'clean' | 'either'
}

const text = (content: string): Buffer => Buffer.from(content, 'utf8')
const hex = (digits: string): Buffer => Buffer.from(digits.replace(/\s/g, ''), 'hex')

export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 40 } } })

const pngHead = hex('89504e470d0a1a0a')

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, sum])
}

/** A PNG of one bit a pixel that says `width` × `height`, with whatever lines it is given. */
function png(width: number, height: number, lines: Buffer, more: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  return Buffer.concat([pngHead, chunk('IHDR', head), ...more, chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))])
}

const blank = (width: number, height: number): Buffer => Buffer.alloc(height * (1 + Math.ceil(width / 8)))

/** Chunks of a PNG after its head. */
const afterHead = (file: Buffer, extra: Buffer): Buffer => Buffer.concat([file.subarray(0, 33), extra, file.subarray(33)])

/** A segment right behind a JPEG's first marker. */
function segment(file: Buffer, marker: number, data: Buffer): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(data.length + 2)
  return Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, marker]), size, data, file.subarray(2)])
}

/** A JPEG whose frame says another size. */
function resized(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg)
  const at = copy.indexOf(hex('ffc0'))
  copy.writeUInt16BE(height, at + 5)
  copy.writeUInt16BE(width, at + 7)
  return copy
}

const zip = (name: string): Buffer => {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt32LE(mark.length, 18)
  head.writeUInt32LE(mark.length, 22)
  return Buffer.concat([head, text(name), text(mark)])
}

export async function hostileImages(): Promise<Hostile[]> {
  const base = picture(64, 48)
  const [jpeg, plainPng, webp, gif, tiff, avif] = await Promise.all([
    base.clone().jpeg().toBuffer(),
    base.clone().png().toBuffer(),
    base.clone().webp().toBuffer(),
    base.clone().gif().toBuffer(),
    base.clone().tiff().toBuffer(),
    base.clone().avif({ effort: 0 }).toBuffer(),
  ])
  const noise = await sharp(Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 251)), {
    raw: { width: 300, height: 300, channels: 3 },
  })
    .jpeg()
    .toBuffer()
  const animated = await sharp(Buffer.alloc(32 * 64 * 3, 90), { raw: { width: 32, height: 64, channels: 3, pageHeight: 32 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
  const wideWebp = Buffer.from(animated)
  wideWebp.writeUIntLE(16_382, 24, 3)
  wideWebp.writeUIntLE(16_382, 27, 3)
  const badCrc = Buffer.from(plainPng)
  badCrc[20] = 0xff
  const bigProfile = chunk('iCCP', Buffer.concat([text('p\0\0'), deflateSync(Buffer.alloc(64 * 1024 * 1024))]))
  const bigText = chunk('zTXt', Buffer.concat([text('Comment\0\0'), deflateSync(Buffer.alloc(64 * 1024 * 1024, 65))]))

  const refused: Record<string, Buffer> = {
    'zero bytes': Buffer.alloc(0),
    'one byte': Buffer.from([0xff]),
    'an SVG': text(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${script}</svg>`),
    'an SVG that loads a file': text(
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    ),
    'XML with an entity': text('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg>&e;</svg>'),
    'a page': text(`<!doctype html>${script}`),
    'a page that begins as a GIF': text(`GIF89a/*<html>*/=1;${script}`),
    'a GIF': gif,
    'a GIF that says 65,535 × 65,535': Buffer.concat([text('GIF89a'), hex('ffffffff f00000'), gif.subarray(13)]),
    'a TIFF': tiff,
    'an AVIF': avif,
    'a bitmap': Buffer.concat([text('BM'), hex('3a000000 00000000 36000000 28000000 01000000 01000000 0100 1800'), Buffer.alloc(30)]),
    'an icon': hex('00000100 0100 10100000 0100 2000 68040000 16000000'),
    'a PDF': text(`%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(${mark})>>>>endobj`),
    PostScript: text('%!PS\n(/etc/passwd) (r) file'),
    'ImageMagick’s drawing language': text(
      'push graphic-context\nviewbox 0 0 9 9\nfill \'url(https://x.example/a.jpg"|id")\'\npop graphic-context',
    ),
    'a ZIP': zip('a.txt'),
    'a ZIP that climbs out of its folder': zip('../../../../etc/cron.d/x'),
    'a gzip of 100 MB of nothing': gzipSync(Buffer.alloc(100 * 1024 * 1024)),
    'a program': Buffer.concat([hex('7f454c46 02010100'), Buffer.alloc(200)]),
    'a script': text(`#!/bin/sh\necho ${mark}`),
    'a film': Buffer.concat([hex('00000018'), text('ftypmp42'), Buffer.alloc(100)]),
    'a page behind a JPEG’s first bytes': Buffer.concat([hex('ffd8ffe0'), text(script)]),
    'a ZIP behind a PNG’s first bytes': Buffer.concat([pngHead, zip('a')]),
    'noise behind a WebP’s first bytes': Buffer.concat([text('RIFF'), hex('64000000'), text('WEBPVP8 '), Buffer.alloc(100, 0x5a)]),
    'half a JPEG': noise.subarray(0, noise.length >> 1),
    'half a PNG': plainPng.subarray(0, plainPng.length - 40),
    'half a WebP': webp.subarray(0, webp.length >> 1),
    'a PNG whose head was changed': badCrc,
    'a PNG that says 50,000 × 50,000': png(50_000, 50_000, Buffer.alloc(100)),
    'a PNG of 400 million white pixels in 50 KB': png(20_000, 20_000, blank(20_000, 20_000)),
    'a PNG of one pixel too many a side': png(4_001, 4_000, blank(4_001, 4_000)),
    'a PNG without width': png(0, 10, Buffer.alloc(20)),
    'a PNG one pixel high and 2 billion wide': png(2_147_483_647, 1, Buffer.alloc(100)),
    'a PNG whose pixels are noise': Buffer.concat([
      plainPng.subarray(0, 33),
      chunk('IDAT', Buffer.alloc(99, 7)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
    'a JPEG that says 65,500 × 65,500': resized(jpeg, 65_500, 65_500),
    'a WebP that says 16,383 × 16,383': wideWebp,
  }
  const clean: Record<string, Buffer> = {
    'a JPEG with a comment and a place': segment(
      segment(jpeg, 0xfe, text(script)),
      0xe1,
      text(`Exif\0\0MM\0*\0\0\0\x08\0\0${mark} GPS 31.2304N`),
    ),
    'a JPEG with a made-up colour profile': segment(jpeg, 0xe2, Buffer.concat([text('ICC_PROFILE\0\x01\x01'), text(mark.repeat(50))])),
    'a JPEG that is a ZIP too': Buffer.concat([jpeg, zip('../../evil.txt')]),
    'a JPEG that is a page too': Buffer.concat([segment(jpeg, 0xfe, text('<!--')), text(`-->${script}`)]),
    'a PNG with a text': afterHead(plainPng, chunk('tEXt', text(`Comment\0${script}`))),
    'a PNG with code behind its end': Buffer.concat([plainPng, text(`<?php system("${mark}"); ?>`)]),
    'a PNG with a chunk of its own': afterHead(plainPng, chunk('eVIl', text(script))),
    'a WebP with more behind its end': Buffer.concat([webp, text(script)]),
    'a film of WebP pictures': animated,
  }
  const either: Record<string, Buffer> = {
    'a PNG with 64 MB of profile in 64 KB': afterHead(plainPng, bigProfile),
    'a PNG with 64 MB of text in 64 KB': afterHead(plainPng, bigText),
    'a PNG that is a film': afterHead(plainPng, Buffer.concat([chunk('acTL', hex('00001000 00000000'))])),
  }
  const all = (becomes: Hostile['becomes'], files: Record<string, Buffer>) =>
    Object.entries(files).map(([name, bytes]): Hostile => ({ name, bytes, becomes }))
  return [...all('refused', refused), ...all('clean', clean), ...all('either', either)]
}
