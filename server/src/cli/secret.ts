import { randomBytes } from 'node:crypto'
import { rotateSecret } from '../system/rotate-secret.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer } from './output.ts'

/** `convexa secret generate`: 256 random bits. */
export function generateSecret(): void {
  const secret = randomBytes(32).toString('base64url')
  answer({ secret }, () => secret)
}

/** `convexa secret rotate`. */
export async function rotate(): Promise<void> {
  await withCommandContext('database', async ({ db, config, stay }) => {
    if (config.oldSecretKey === null) throw new Stop(exits.usage, '更换密钥需要 SECRET_KEY（新密钥）与 SECRET_KEY_OLD（旧密钥）')
    stay()
    const { renewed, unreadable } = await rotateSecret({ db, config })
    const lines = [
      `已用新密钥重新加密 ${renewed} 项，它现在是当前密钥`,
      ...(unreadable > 0 ? [`${unreadable} 项用新旧密钥都无法解开，没有改动`] : []),
      '请从所有进程去掉 SECRET_KEY_OLD；旧密钥须与用它时的备份一起保管',
    ]
    answer({ renewed, unreadable }, () => lines.join('\n'))
  })
}
