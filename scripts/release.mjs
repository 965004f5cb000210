// `npm run release -- X.Y.Z`: makes a release of what is checked out: 1 the tree is clean, the version is a new one, CHANGELOG.md tells of it and
// RELEASES.json knows those before it, 2 all tests pass, 3 the version stands in every npm package, in a commit with the tag vX.Y.Z, 4 RELEASES.json
// names that commit in the next one. Nothing is pushed. The trading client has a version of its own.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @throws Error with what is in the way; nothing is changed then */
export function release(root, version, { test = runTests, say = console.log } = {}) {
  const git = (...args) => run(root, 'git', args)
  const releases = JSON.parse(readFileSync(join(root, 'RELEASES.json'), 'utf8'))
  const problems = problemsOf({
    version,
    changes: git('status', '--porcelain'),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    releases,
    tags: git('tag', '--list', 'v*').split('\n').filter(Boolean),
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  test(root)
  setVersions(root, version)
  git('commit', '--all', '--signoff', '--message', `release: ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Convexa ${version}`)
  const migrations = readdirSync(join(root, 'server', 'src', 'db', 'migrations')).filter((file) => /^\d{4}-.*\.(sql|ts)$/.test(file))
  releases[version] = {
    commit: git('rev-parse', 'HEAD'),
    migrations:
      migrations
        .sort()
        .at(-1)
        ?.replace(/\.\w+$/, '') ?? null,
  }
  writeFileSync(join(root, 'RELEASES.json'), `${JSON.stringify(releases, null, 2)}\n`)
  git('commit', '--all', '--signoff', '--message', `release: ${version} is among the releases`)
  say(`v${version} is tagged; publish it with: git push --follow-tags`)
}

export function problemsOf({ version, changes, changelog, releases, tags }) {
  const problems = []
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) return ['a release is named X.Y.Z']
  if (changes !== '') problems.push(`there are changes that are not committed:\n${changes}`)
  if (!new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm').test(changelog))
    problems.push(`CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD"`)
  if (version in releases || tags.includes(`v${version}`)) problems.push(`${version} was released before`)
  const later = Object.keys(releases).find((known) => compare(known, version) > 0)
  if (later) problems.push(`${later}, which was released, is later`)
  for (const tag of tags) if (!(tag.slice(1) in releases)) problems.push(`RELEASES.json lacks ${tag.slice(1)}, which was tagged`)
  return problems
}

function compare(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

/** In every manifest and the lock file, also where one package names another. */
function setVersions(root, version) {
  const { workspaces = [] } = read(root, 'package.json')
  for (const folder of ['', ...workspaces]) change(root, join(folder, 'package.json'), (manifest) => setIn(manifest, version))
  change(root, 'package-lock.json', (lock) => {
    lock.version = version
    for (const folder of ['', ...workspaces]) if (lock.packages[folder]) setIn(lock.packages[folder], version)
  })
}

function setIn(manifest, version) {
  if (manifest.version !== undefined) manifest.version = version
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies'])
    for (const name of Object.keys(manifest[group] ?? {})) if (name.startsWith('@convexa/')) manifest[group][name] = version
}

const read = (root, file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
function change(root, file, edit) {
  const content = read(root, file)
  edit(content)
  writeFileSync(join(root, file), `${JSON.stringify(content, null, 2)}\n`)
}

function run(cwd, program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout.trim()
}

function runTests(cwd) {
  const { status } = spawnSync('npm', ['test'], { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error('npm test does not pass')
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  try {
    release(fileURLToPath(new URL('..', import.meta.url)), process.argv[2])
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
