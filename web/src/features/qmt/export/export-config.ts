import { calls } from '@convexa/contract/calls'
import { sentences } from '@convexa/contract/rules/sentences'
import { download, fileNameOf } from '../../../api/client.ts'
import { CallError } from '../../../api/messages.ts'
import { reAuthed } from '../../account/re-auth.ts'
import { sha256 } from './sha256.ts'
import { zipFiles } from './zip-files.ts'

/** An archive that was made and not saved yet. */
export interface Exported {
  name: string
  bytes: ArrayBuffer
  /** Of the bytes that are here. */
  sha256: string
  files: readonly { name: string; size: number }[]
  withKey: boolean
}

/** The server's word of its archive did not hold for what arrived. */
export class DamagedDownloadError extends Error {}

/** Has a config and the client packed. @throws CallError, Damaged */
export async function exported(configId: string, withKey: boolean): Promise<Exported> {
  const response = await reAuthed(() =>
    download(calls.qmt.exportConfig, { params: { id: configId }, query: { with_key: withKey ? '1' : '0' } }),
  )
  const statedHash = response.headers.get('X-Sha256') ?? ''
  const bytes = await response.arrayBuffer()
  const counted = (await sha256(bytes)) ?? statedHash
  if (statedHash !== '' && statedHash !== counted) throw new DamagedDownloadError()
  return { name: fileNameOf(response, 'convexa-qmt.zip'), bytes, sha256: counted, files: zipFiles(bytes), withKey }
}

/** Why there is no archive, in plain words, with what can be done. With a key there may be a new one, though nobody has it. */
export function refusalOf(error: unknown, withKey: boolean): { title: string; text: string } {
  if (withKey && !isRefused(error)) return keyLost
  if (error instanceof DamagedDownloadError) return { title: '文件在传输中损坏，没有保存', text: '请重新生成一次。' }
  const known = error instanceof CallError ? refusals[error.code] : undefined
  if (known) return known
  return { title: error instanceof CallError ? error.message : '没有导出', text: '配置没有改变，可以再试一次。' }
}

/** The server said no, and made nothing; what broke on the way may have broken after the key was made. */
const isRefused = (error: unknown) =>
  error instanceof CallError && (error.kind === 'login' || (error.kind === 'response' && error.status < 500))

const keyLost = {
  title: '没有完整收到文件',
  text: '新密钥可能已经生成，客户端在用的密钥 10 分钟后失效。请再生成一次并换上；再生成时，客户端在用的密钥会立即失效。',
}

const refusals: Record<number, { title: string; text: string }> = {
  24005: { title: '自动交易已急停，不能导出', text: '请先在账户管理里恢复自动交易。' },
  24011: { title: sentences.demoTrading, text: '这份配置的策略运行在模拟生成的行情上，可以演练，不能导出。导入真实行情后恢复。' },
  11013: { title: '没有验证身份，没有生成密钥', text: '带密钥的导出会生成新密钥，须先验证身份；也可以不带密钥导出。' },
  40004: { title: '配置或它的来源已不存在', text: '请刷新列表后再试。' },
}
