import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { StartError } from './start-error.ts'

const marker = 'convexa.json'
const format = 1
/** What a fresh volume or a file manager leaves behind is not somebody's data. */
const nobodys = new Set(['lost+found', '.DS_Store', '.gitkeep', '.gitignore'])

/**
 * Makes the data directory ours: created where missing, marked by `convexa.json`, refused where it holds somebody else's files.
 * An api and a worker may do so at the same moment.
 * @throws StartError, with nothing changed
 */
export function claimDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir)
    if (!statSync(dataDir).isDirectory()) throw new StartError(`数据目录 ${dataDir} 不是目录：请用环境变量 DATA_DIR 另设一个`)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof StartError) throw error
    const { code } = error as { code?: string }
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? '不是目录' : '无法写入'
    throw new StartError(`数据目录 ${dataDir} ${why}（${code}）：请检查权限，或用环境变量 DATA_DIR 另设一个`)
  }
  const file = join(dataDir, marker)
  if (existsSync(file)) {
    checkMarker(file, dataDir)
    return
  }
  const foreign = readdirSync(dataDir).find((name) => !nobodys.has(name) && !name.startsWith(`${marker}.`))
  // What was found may be the other process's, which has marked the folder meanwhile.
  if (foreign && existsSync(file)) {
    checkMarker(file, dataDir)
    return
  }
  if (foreign) {
    throw new StartError(`数据目录 ${dataDir} 里已有别的内容（如 ${foreign}）：请用环境变量 DATA_DIR 指定一个空目录`)
  }
  try {
    // Written aside and renamed: another process that starts sees the marker whole or not at all.
    const aside = `${file}.${process.pid}.${threadId}`
    writeFileSync(aside, `${JSON.stringify({ product: 'convexa', format })}\n`)
    renameSync(aside, file)
  } catch (error) {
    throw new StartError(`数据目录 ${dataDir} 无法写入（${(error as { code?: string }).code}）：请检查权限，或用环境变量 DATA_DIR 另设一个`)
  }
}

function checkMarker(file: string, dataDir: string): void {
  let found: { product?: unknown; format?: unknown } | null
  try {
    found = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    found = null
  }
  if (found?.product !== 'convexa') throw new StartError(`数据目录 ${dataDir} 不是凸度量化的：请用环境变量 DATA_DIR 指定一个空目录`)
  if (typeof found.format !== 'number' || found.format > format) {
    throw new StartError(`数据目录 ${dataDir} 由更新的版本建立：请升级凸度量化，或用环境变量 DATA_DIR 另设目录`)
  }
}

/** Parents first. Node's own `recursive` never returns below /proc, where mkdir answers ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}
