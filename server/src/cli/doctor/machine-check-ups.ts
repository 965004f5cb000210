import { mkdir } from 'node:fs/promises'
import { usableCores, usableMemory } from '../../base/capacity.ts'
import { freeBytes, leastFreeBytes } from '../../base/free-space.ts'
import { windowsSentence } from '../windows.ts'
import { type CheckUp, fault, note, ok, unless } from './finding.ts'

const oldestNode = 26
const platforms = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64']
const gigabyte = 2 ** 30
const gigabytes = (bytes: number): string => `${(bytes / gigabyte).toFixed(1)} GB`
/** With less than so much the database and one worker have no room beside each other. */
const leastMemory = 2 * gigabyte
/** A day of disk is left below this. */
const littleSpace = 2 * gigabyte

/** The machine, before anything of ours is asked. */
export const machineCheckUps: readonly CheckUp[] = [
  {
    name: 'Node 与系统',
    look: async () => {
      const platform = `${process.platform} ${process.arch}`
      const { node } = process.versions
      return unless(
        [
          Number(node.split('.')[0]) < oldestNode && fault(`Node ${node} 太旧`, `请安装 Node.js ${oldestNode} 或更新的版本`),
          process.platform === 'win32'
            ? fault('不能直接在 Windows 上运行', windowsSentence)
            : !platforms.includes(platform) && note(`${platform} 没有测试过，自带的 Node 与数据库可能没有这个系统的版本`),
        ],
        `Node ${node}，${platform}`,
      )
    },
  },
  {
    name: '内存与处理器',
    look: async ({ reading }) => {
      const [memory, cores] = [usableMemory(), usableCores()]
      const said = `可用 ${gigabytes(memory)} 内存、${cores} 个处理器核心`
      const wanted = reading.ok ? reading.config.workerMemoryMb * 2 ** 20 : 0
      return unless(
        [
          memory < leastMemory && note(`只有 ${gigabytes(memory)} 内存`, '建议至少 2 GB，否则较大的行情无法计算'),
          wanted > memory && fault(`WORKER_MEMORY_MB 超过了可用的内存（${gigabytes(memory)}）`, '请调小它，或增加内存'),
          cores < 2 && note('只有 1 个处理器核心', '计算与网页会互相等待，建议 2 个以上'),
        ],
        said,
      )
    },
  },
]

/** The folders that we write into. */
export const diskCheckUp: CheckUp = {
  name: '磁盘与缓存',
  look: async ({ reading }) => {
    if (!reading.ok) return [note('没有检查（设置有误）')]
    const { dataDir, store, cache } = reading.config
    const folders = [...new Set([dataDir, ...(store ? [cache.folder] : [])])]
    const told = await Promise.all(
      folders.map(async (folder) => {
        try {
          await mkdir(folder, { recursive: true })
        } catch (error) {
          return fault(`${folder} 无法写入（${(error as NodeJS.ErrnoException).code}）`, '请检查权限')
        }
        const free = await freeBytes(folder)
        if (free === null) return note(`${folder} 的剩余空间无法得知`)
        if (free < leastFreeBytes) return fault(`${folder} 只剩 ${gigabytes(free)}，已停止接受计算`, '请清理或扩大磁盘')
        if (free < littleSpace) return note(`${folder} 只剩 ${gigabytes(free)}`, '请清理或扩大磁盘')
        return ok(`${folder} 剩余 ${gigabytes(free)}`)
      }),
    )
    return told
  },
}
