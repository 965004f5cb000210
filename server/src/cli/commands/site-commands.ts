import { momentOption } from '../moment.ts'
import { type CommandRow, within } from './command-row.ts'
import { serial } from './readers.ts'

const databaseCommands: readonly CommandRow[] = [
  {
    name: 'copy',
    summary: '把站点搬到另一个数据库',
    description:
      '把全部数据复制到另一个空的 PostgreSQL：从内置数据库换到自己的服务器，或换到新的大版本。\n先停止网站或开启维护模式。表由本命令建立，复制在一个事务中完成并逐表核对；中断后目标数据库没有内容，可再次运行。',
    options: [
      {
        flags: '--to <地址>',
        help: '目标数据库，如 postgres://用户:密码@主机/库名；经过连接池时填其后的直连地址',
        required: true,
      },
    ],
    example: 'database copy --to postgres://convexa:密码@db.example.com/convexa',
    load: async () => (await import('../database.ts')).copyDatabase,
  },
  {
    name: 'serve',
    summary: '只启动一个数据目录的数据库',
    description:
      '启动恢复出的数据目录中的数据库，打印它的地址，直到按 Ctrl-C；不启动网站，不发消息，不查支付。\n用于 ./convexa user copy 取回一个用户。',
    args: [{ name: '目录', help: '恢复出的数据目录' }],
    example: 'database serve ./restored',
    json: '数据库的地址，随即打印',
    load: async () => (await import('../database.ts')).serveDatabase,
  },
]

const secretCommands: readonly CommandRow[] = [
  {
    name: 'generate',
    summary: '生成一个密钥',
    description: '打印 256 位随机数，可作为 SECRET_KEY 或 METRICS_TOKEN。',
    example: 'secret generate',
    json: '密钥',
    load: async () => (await import('../secret.ts')).generateSecret,
  },
  {
    name: 'rotate',
    summary: '更换 SECRET_KEY',
    description:
      '把用 SECRET_KEY_OLD 加密的内容逐批改用 SECRET_KEY 加密，期间网站照常运行。\n先让所有进程同时知道两个密钥，再交换两者并运行本命令，最后去掉旧密钥（docs/operations.md）。中断后可再次运行。',
    example: 'secret rotate',
    json: '重新加密与无法解开的项数',
    load: async () => (await import('../secret.ts')).rotate,
  },
]

const storeCommands: readonly CommandRow[] = [
  {
    name: 'audit',
    summary: '核对对象存储与数据库的登记',
    description: '列出没有登记的对象，以及登记过却不在、长度不符的对象，说明哪些行情与回测受影响。',
    options: [
      { flags: '--verify', help: '把每个对象读出来核对内容' },
      { flags: '--delete', help: '删除没有登记的对象' },
    ],
    example: 'store audit --verify',
    exits: { 1: '登记过的对象不在或不符' },
    destroys: (options) => (options['delete'] ? '将删除对象存储中没有登记的对象，删除后不能恢复' : null),
    load: async () => (await import('../store.ts')).audit,
  },
  {
    name: 'move',
    summary: '把存放的内容复制到另一处',
    description:
      '把行情、上传文件、数据源答复、回测结果与分享的报告复制到另一个对象存储并读回核对，期间网站照常运行，原处的内容不删除。\n先运行一次，再在维护模式下运行一次，然后更改 STORE_URL（docs/operations.md）。中断后可再次运行。',
    options: [
      {
        flags: '--to <地址>',
        help: '与 STORE_URL 相同的写法；密钥取自 STORE_ACCESS_KEY_ID 与 STORE_SECRET_ACCESS_KEY',
        required: true,
      },
    ],
    example: 'store move --to file:///srv/convexa-store',
    load: async () => (await import('../store.ts')).move,
  },
]

/** What it takes to keep a site running. */
export const siteCommands: readonly CommandRow[] = [
  {
    name: 'migrate',
    summary: '升级数据库',
    description:
      '把数据库的表升级到本程序的版本，逐项进行，中断后可再次运行。\n设置了 DATABASE_URL 的站点在换用新程序前运行一次；内置数据库在启动时自动升级。',
    example: 'migrate',
    load: async () => (await import('../migrate.ts')).migrateDatabase,
  },
  { name: 'database', summary: '数据库' },
  ...within('database', databaseCommands),
  {
    name: 'backup',
    summary: '备份内置数据库与文件',
    description:
      '把内置数据库、行情与上传的文件加密备份到 BACKUP_URL，期间网站照常运行。\n设置了 BACKUP_URL 的网站每天在 BACKUP_HOUR 自动备份，并持续传送其后的写入。',
    options: [{ flags: '--fast', help: '不限制读取速度（默认每秒最多 30 MB）' }],
    example: 'backup --fast',
    load: async () => (await import('../backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: '从备份恢复',
    description:
      '把备份恢复为一个数据目录：先核对备份，再取回数据库与文件，重放写入到最后一刻或指定的时刻，检查后才给目录改名。\n需要备份时的 SECRET_KEY。只写入空目录；中断后可再次运行。',
    args: [{ name: '备份地址', help: '与 BACKUP_URL 相同的写法' }],
    options: [
      { flags: '--to-time <时间>', help: '恢复到这个时刻，如 2026-11-21T02:00（北京时间）', read: momentOption },
      { flags: '--into <目录>', help: '不指定时为 DATA_DIR' },
      { flags: '--rehearse', help: '演练：恢复到 DATA_DIR 下的临时目录，检查后删除，不影响正在运行的网站', conflicts: 'into' },
      { flags: '--base <备份>', help: '从这个备份开始，如 20261120T190000Z；不指定时取最近的一个' },
      {
        flags: '--timeline <编号>',
        help: '恢复过的站点的备份有几条时间线时，沿哪一条；不指定时为最新的一条',
        read: serial('时间线'),
      },
      { flags: '--skip-damaged', help: '略过损坏的文件，WAL 损坏时恢复到它之前' },
    ],
    example: 'restore file:///mnt/backup --into ./restored',
    load: async () => (await import('../backup.ts')).restore,
  },
  { name: 'secret', summary: '加密数据的密钥' },
  ...within('secret', secretCommands),
  { name: 'store', summary: '对象存储' },
  ...within('store', storeCommands),
  { name: 'runs', summary: '已保存的回测' },
  {
    name: 'runs pack',
    summary: '压缩旧版本保存的回测结果',
    description:
      '旧版本保存的完整报告逐个重新计算，结果逐日相同的改为约五十 KB 的保存方式，其余保持原样；报告的内容不变。\n网站空闲时会自动进行；本命令一次做完，中断后可再次运行。',
    example: 'runs pack',
    json: '压缩的与保持原样的次数',
    load: async () => (await import('../runs.ts')).pack,
  },
  {
    name: 'maintenance',
    summary: '维护模式：开、关、查看',
    description: '维护期间网站的每个接口答复“系统维护中”，健康检查、站点信息与支付回调除外。一秒内对所有进程生效。',
    args: [{ name: 'on|off|status', help: '开、关或查看', choices: ['on', 'off', 'status'] }],
    options: [{ flags: '--until <时间>', help: '预计恢复的时间，告诉访客，如 2026-11-21T02:00（北京时间）', read: momentOption }],
    example: 'maintenance on --until 2026-11-21T02:00',
    json: '是否维护、预计恢复的时间',
    load: async () => (await import('../maintenance.ts')).maintenance,
  },
]
