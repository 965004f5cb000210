// `npm run tools [-- name …]`: brings into .cache/bin the programs that drills use when they find them, one line of the table each, and says
// what could not be brought. They are never part of an installation: the tests and the product work without them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, '.cache', 'bin')

/** `by`: the program that brings it, with its arguments. `takes`: how long that lasts, printed before it begins. */
const tools = [
  {
    name: 'versitygw',
    what: 'S3 服务器，用于对象存储的测试与演练',
    by: ['go', 'install', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'],
    takes: '编译约需 4–11 分钟',
  },
]

const words = process.argv.slice(2)
const unknown = words.find((word) => !tools.some(({ name }) => name === word))
if (unknown !== undefined) {
  console.error(`没有工具“${unknown}”，可用 ${tools.map(({ name }) => name).join('、')}`)
  process.exit(2)
}
const wanted = tools.filter(({ name }) => words.length === 0 || words.includes(name))
const missing = wanted.filter((tool) => !isThere(tool) && !bring(tool))
console.log(
  missing.length === 0
    ? `${wanted.length} 项工具均在 .cache/bin`
    : `已有 ${wanted.length - missing.length} 项；未能取得 ${missing.map(({ name }) => name).join('、')}`,
)
process.exit(missing.length === 0 ? 0 : 1)

function isThere({ name, what }) {
  const found = existsSync(join(bin, name))
  if (found) console.log(`${name}（${what}）：已有`)
  return found
}

function bring({ name, what, by: [program, ...args], takes }) {
  console.log(`${name}（${what}）：正在取得，${takes}…`)
  mkdirSync(bin, { recursive: true })
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, GOBIN: bin },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const why = error ? (error.code === 'ENOENT' ? `需要先安装 ${program}` : error.message) : status === 0 ? null : `${program} 没有成功`
  if (why) console.log(`${name}：未能取得（${why}）`)
  return why === null
}
