import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSource } from './source-file.ts'

/** Two groups of two rows; in the first, columns of texts and of numbers have nothing yet, and one never has. */
const beginsEmpty = [
  'UEFSMRUGFRgVGFwVBBUAFQQVABUEFQAAAAMDAQAAAEEBAAAAQhUGFQQVBFwVBBUEFQQVABUEFQAAAAMAFQYVBBUEXBUEFQQVBBUAFQQVAAAAAwAVBhUE',
  'FQRcFQQVBBUEFQAVBBUAAAADABUGFRgVGFwVBBUAFQQVABUEFQAAAAMDAQAAAEMBAAAARBUGFR4VHlwVBBUAFQQVABUEFQAAAAMDAgAAAEFBAwAAAEFB',
  'QRUGFSQVJFwVBBUAFQQVABUEFQAAAAMDAAAAAAAA+D8AAAAAAAAEQBUGFQQVBFwVBBUEFQQVABUEFQAAAAMAFQQZXEgEcm9vdBUIABUMJQIYB3RzX2Nv',
  'ZGUlAAAVDCUCGAZyYXRpbmclAAAVCiUCGAZyZW1haW4AFQwlAhgEbm9uZSUAABYIGSwZTCYIHBUMGRUAGRgHdHNfY29kZRUAFgQWQhZCJggAACZKHBUM',
  'GRUAGRgGcmF0aW5nFQAWBBYuFi4mSgAAJngcFQoZFQAZGAZyZW1haW4VABYEFi4WLiZ4AAAmpgEcFQwZFQAZGARub25lFQAWBBYuFi4mpgEAABbMARYE',
  'NswBABlMJtQBHBUMGRUAGRgHdHNfY29kZRUAFgQWQhZCJtQBAAAmlgIcFQwZFQAZGAZyYXRpbmcVABYEFkgWSCaWAgAAJt4CHBUKGRUAGRgGcmVtYWlu',
  'FQAWBBZOFk4m3gIAACasAxwVDBkVABkYBG5vbmUVABYEFi4WLiasAwAAFoYCFgQ2hgIAKAloeXBhcnF1ZXQZTBwAABwAABwAABwAAABqAQAAUEFSMQ==',
].join('')

it('a column of texts that begins with nothing is one of texts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convexa-source-'))
  try {
    await writeFile(join(folder, 'a.parquet'), Buffer.from(beginsEmpty, 'base64'))
    const source = await openSource(join(folder, 'a.parquet'))
    const { rows, columns } = await source.read(source.columns)
    expect([rows, ...columns.keys()].sort()).toEqual([4, 'none', 'rating', 'remain', 'ts_code'])
    expect(columns.get('rating')).toEqual({ kind: 'text', values: [null, null, 'AA', 'AAA'] })
    expect(columns.get('remain')).toEqual({ kind: 'number', values: Float64Array.of(Number.NaN, Number.NaN, 1.5, 2.5) })
    expect(columns.get('none')).toEqual({ kind: 'number', values: new Float64Array(4).fill(Number.NaN) })
  } finally {
    await rm(folder, { recursive: true })
  }
})
