import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './scalars.ts'

export const uploadTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export const avatarBytes = 2 * 1024 * 1024

const calls = callTable.file

export const file = {
  avatarUpload: endpoint(calls.avatarUpload, {
    summary: '申请上传头像',
    data: z.object({ upload_id: Id, max_bytes: z.int(), types: z.array(z.enum(uploadTypes)) }),
  }),
  /** The body is multipart with one field `file`. */
  upload: endpoint(calls.upload, {
    summary: '上传文件',
    params: z.object({ id: Id }),
    multipart: true,
    bodyLimit: avatarBytes + 16 * 1024,
    data: z.object({ file_id: Id, url: z.string(), size: z.int(), mime: z.string() }),
  }),
  setAvatar: endpoint(calls.setAvatar, {
    summary: '设置头像',
    body: z.union([z.strictObject({ upload_id: Id }), z.strictObject({ file_id: Id })]),
    data: z.object({ avatar_url: z.string() }),
  }),
}
