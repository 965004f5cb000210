import { errorCodes } from '@convexa/contract/enums/error-code'
import sharp from 'sharp'
import { throwApiError } from '../base/api-error.ts'
import { createSemaphore } from '../base/semaphore.ts'

const mostPixels = 16_000_000
const side = 256

// Nothing but these three decoders ever sees what a user sent: no SVG, no PDF, no file formats of science.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] })
sharp.cache(false)
sharp.concurrency(1)

/** First bytes of what we take; the whole must decode as what they say. */
const kinds = [
  { format: 'jpeg', is: (b: Buffer) => b.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { format: 'png', is: (b: Buffer) => b.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) },
  { format: 'webp', is: (b: Buffer) => b.toString('latin1', 0, 4) === 'RIFF' && b.toString('latin1', 8, 12) === 'WEBP' },
] as const

/** A picture of 16 million pixels takes 64 MB while it is decoded. */
const inTurn = createSemaphore({ atOnce: 2, waiting: 16, full: errorCodes.busy })

export const avatarType = 'image/webp'

/**
 * An avatar made of what was uploaded: decoded whole, turned upright, cut square, written anew. Nothing of the upload but its first
 * picture is in it: no metadata, no profile, no further frames, nothing that was hidden behind the end.
 * @throws ApiError 11030 no JPEG, PNG or WebP, damaged, or more than 16 million pixels; 50301 too many at once
 */
export async function avatarOf(bytes: Buffer): Promise<Buffer> {
  const kind = kinds.find(({ is }) => is(bytes))
  if (!kind) throwApiError(errorCodes.imageFormat)
  return inTurn(async () => {
    try {
      const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
      const { format, width = 0, height = 0 } = await image.metadata()
      if (format !== kind.format || width < 1 || height < 1 || width * height > mostPixels) throw new Error('not what it says')
      return await image
        .autoOrient()
        .resize(side, side, { fit: 'cover' })
        .toColourspace('srgb')
        .timeout({ seconds: 3 })
        .webp({ quality: 82 })
        .toBuffer()
    } catch {
      throwApiError(errorCodes.imageFormat)
    }
  })
}
