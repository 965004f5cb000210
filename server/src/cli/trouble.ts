import { isDatabaseAway } from '../base/api-error.ts'
import { StoreError, troubleLabels } from '../store/object-store.ts'

/** What an operator can do something about, in one sentence; null: it is ours. */
export const troubleOf = (error: unknown): string | null => databaseTrouble(error) ?? storeTrouble(error) ?? diskTrouble(error)

/** The address is never repeated: it holds a password. */
function databaseTrouble(error: unknown): string | null {
  if (isDatabaseAway(error)) return '数据库没有应答，请检查 DATABASE_URL，以及数据库是否在运行'
  // Classes of SQLSTATE: authorization, catalog name.
  return /^(28|3D)\w{3}$/.test(codeOf(error)) ? '数据库不接受 DATABASE_URL 中的用户、密码或库名' : null
}

function storeTrouble(error: unknown): string | null {
  if (!(error instanceof StoreError)) return null
  return `对象存储无法使用（${troubleLabels[error.kind]}）：请检查 STORE_URL（备份与恢复时为 BACKUP_URL）与访问密钥；已发布的数据没有改变`
}

/** Whatever is published is published whole: a disk that gives up leaves it as it was. */
function diskTrouble(error: unknown): string | null {
  const { path } = (error ?? {}) as { path?: unknown }
  const place = typeof path === 'string' ? `（${path}）` : ''
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `磁盘空间不足${place}，请清理后重试；已发布的数据没有改变`
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `没有读写权限${place}，请检查 DATA_DIR 的权限后重试；已发布的数据没有改变`
    case 'EIO':
      return `磁盘读写出错${place}，请检查磁盘；已发布的数据没有改变`
    default:
      return null
  }
}

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
