import type { CommandRow } from './command-row.ts'

/** What the program says of itself, of its settings and of the files that it reads. */
export const inspectionCommands: readonly CommandRow[] = [
  {
    name: 'doctor',
    summary: '检查站点',
    description:
      '逐项检查机器、设置、数据库、存储、进程、行情与备份，每项为正常、注意或错误，并说明怎么办。不改变数据；没有运行的内置数据库会临时启动。',
    options: [{ flags: '--strict', help: '有“注意”时退出码为 2' }],
    example: 'doctor --strict',
    json: '各项检查的结果',
    exits: { 1: '有“错误”', 2: '用法有误；加 --strict 时有“注意”' },
    load: async () => (await import('../doctor.ts')).doctor,
  },
  {
    name: 'config',
    summary: '生效的设置与来源',
    description: '列出每个设置生效的值，以及它来自环境变量、设置文件还是默认值。保密的值不显示。',
    options: [{ flags: '--set', help: '只看设置过的' }],
    example: 'config --set',
    json: '设置',
    load: async () => (await import('../config.ts')).showConfig,
  },
  {
    name: 'config check',
    summary: '检查设置',
    description: '检查环境变量与设置文件，一次列出全部错误与提示，不启动任何程序。',
    example: 'config check',
    exits: { 2: '设置有误' },
    load: async () => (await import('../config.ts')).checkConfig,
  },
  {
    name: 'example',
    summary: '列出或打印示例文件',
    description: '列出随程序附带的示例，或打印其中一个：行情文件、列对应关系、回测请求与策略。',
    args: [{ name: '名称', help: '不指定时列出全部', optional: true }],
    options: [{ flags: '--out <文件>', help: '写入文件，而不是打印；文件已存在时不写' }],
    example: 'example request-cb --out request.json',
    json: '示例的名称与说明',
    load: async () => (await import('../example.ts')).example,
  },
  {
    name: 'schema',
    summary: '打印一种文件的 JSON Schema',
    description: '打印 JSON Schema，可让编辑器在编写时提示与检查。',
    args: [{ name: '名称', help: '要写的文件', choices: ['request', 'mapping', 'strategy'] }],
    example: 'schema request',
    json: 'JSON Schema，与不加时相同',
    load: async () => (await import('../schema.ts')).schema,
  },
]
