import { integer, secret, storeUrl, text } from './setting.ts'

/** Where objects lie (`server/src/store`), what a worker keeps of them, and where backups lie (`server/src/backup`). */
export const storage = {
  STORE_URL: storeUrl({
    default: '',
    en: 'Object store of several machines: file:///folder that all of them mount, or s3://bucket/prefix?endpoint=https://…&region=…&path_style=1; without it files lie in DATA_DIR.',
    zh: '多机部署时存放行情等文件的对象存储：`file:///目录`（各机器共同挂载），或 `s3://桶/前缀?endpoint=https://…&region=…&path_style=1`；不设则存放在 `DATA_DIR`。',
  }),
  STORE_ACCESS_KEY_ID: secret({
    default: '',
    en: "Access key of the store; without it the SDK's own chain (environment, instance role, web identity).",
    zh: '对象存储的 AccessKey ID；不设则使用 SDK 的默认凭证（环境变量、实例角色等）。',
  }),
  STORE_SECRET_ACCESS_KEY: secret({ default: '', en: 'Secret of the access key.', zh: '对象存储的 AccessKey Secret。' }),
  STORE_SESSION_TOKEN: secret({ default: '', en: 'Token of a temporary access key.', zh: '临时密钥的会话令牌。' }),
  CACHE_DIR: text({
    default: '',
    en: 'Folder of one worker for what it fetched from the store; without it DATA_DIR/cache.',
    zh: '计算进程缓存对象的目录，每个计算进程一个；不设则为 `DATA_DIR/cache`。',
  }),
  CACHE_MB: integer({
    default: 20_480,
    min: 2_048,
    max: 4_000_000,
    en: 'Most that the cache may take, in MB; never more than 80 % of the space that is free at the start.',
    zh: '缓存最多占用的空间（MB），不超过启动时剩余空间的 80%。',
  }),
  STORE_KEEP_DAYS: integer({
    default: 36,
    min: 0,
    max: 400,
    en: 'Days until an object that nothing needs any more is deleted; more than a database backup reaches back. 0 in tests.',
    zh: '不再需要的对象保留多少天后删除；须大于数据库备份所能恢复到的天数。0 仅用于测试。',
  }),
  BACKUP_URL: storeUrl({
    default: '',
    en: 'Where backups of the embedded database and the files are put: the same forms as STORE_URL, on another disk or machine; keys are those of the store. Without it there are none.',
    zh: '内置数据库与文件的备份存放处，写法同 `STORE_URL`，须在另一块磁盘或另一台机器上，对象存储的密钥同上；不设则不备份。',
  }),
  BACKUP_HOUR: integer({
    default: 3,
    min: 0,
    max: 23,
    en: 'Hour in Beijing at which the nightly backup is made.',
    zh: '每日备份的时刻（北京时间，整点）。',
  }),
}
