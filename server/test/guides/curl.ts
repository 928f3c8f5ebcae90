// Converts the curl commands of the guides to the requests that they send, so that the tests do not need curl.
export type Variables = Readonly<Record<string, string>>

export interface CurlRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Includes the query. */
  url: string
  headers: Record<string, string>
  body?: string
  /** The file of -T, which is sent as the body. */
  file?: string
}

const WORD = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\\n|([^\s'"#]+|#(?=\S))|(\s*#[^\n]*)|(\n)|(\s)/g

const filled = (text: string, variables: Variables): string =>
  text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`The guide does not say what $${name} is`)
    return value
  })

/** The words of each command of a script. Values of variables are not split into words. */
function wordsOf(script: string, variables: Variables): string[][] {
  const commands: string[][] = [[]]
  let word: string | undefined
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word)
    word = undefined
  }
  for (const [, single, double, plain, comment, lineEnd, space] of script.matchAll(WORD)) {
    if (single !== undefined) word = (word ?? '') + single
    else if (double !== undefined)
      word = (word ?? '') + filled(double, variables).replace(/\\(["\\$])/g, '$1')
    else if (plain !== undefined) word = (word ?? '') + filled(plain, variables)
    else if (comment !== undefined || lineEnd !== undefined || space !== undefined) endWord()
    if (lineEnd !== undefined) commands.push([])
  }
  endWord()
  return commands.filter((words) => words.length > 0)
}

interface Options {
  method?: string
  isGet: boolean
  headers: Record<string, string>
  data: string[]
  file?: string
  url?: string
}

const TAKES_VALUE = ['-H', '-d', '-X', '-T', '-o']

function take(options: Options, [name = '', value = '']: readonly string[]): void {
  if (name === '-G') options.isGet = true
  else if (name === '-X') options.method = value
  else if (name === '-T') options.file = value
  else if (name === '-d') options.data.push(value)
  else if (name === '-H') {
    const [, header = '', content = ''] = /^([^:]+): ?(.*)$/.exec(value) ?? []
    options.headers[header.toLowerCase()] = content
  } else if (!name.startsWith('-')) options.url = name
  else if (name !== '-s' && name !== '-o') throw new Error(`The guide uses curl ${name}`)
}

function read(words: readonly string[]): Options {
  const options: Options = { isGet: false, headers: {}, data: [] }
  for (let at = 1; at < words.length; at++) {
    const name = words[at] ?? ''
    take(options, [name, words[at + 1] ?? ''])
    if (TAKES_VALUE.includes(name)) at++
  }
  return options
}

/** curl sends -d unchanged, and joins several by `&`. */
function toRequest({ method, isGet, headers, data, file, url = '' }: Options): CurlRequest {
  const query = isGet && data.length > 0 ? `?${data.join('&')}` : ''
  const implied = file !== undefined ? 'PUT' : isGet || data.length === 0 ? 'GET' : 'POST'
  return {
    method: (method ?? implied) as CurlRequest['method'],
    url: `${url}${query}`,
    headers,
    ...(!isGet && data.length > 0 && { body: data.join('&') }),
    ...(file !== undefined && { file }),
  }
}

/** The requests of a script, in order, without its other commands. */
export const requestsOf = (script: string, variables: () => Variables): (() => CurlRequest)[] =>
  commandsOf(script).map((command) => () => {
    const [words = []] = wordsOf(command, variables())
    return toRequest(read(words))
  })

/** The curl commands of a script. Joins lines after a backslash or within quotes. */
function commandsOf(script: string): string[] {
  const blank = new Proxy({}, { get: (_, name) => `$${String(name)}` }) as Variables
  const ends: string[] = []
  let open = ''
  for (const line of script.split('\n')) {
    open += `${line}\n`
    const isOpen =
      line.endsWith('\\') || (open.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split("'").length - 1) % 2 === 1
    if (isOpen) continue
    ends.push(open)
    open = ''
  }
  return ends.filter((command) => wordsOf(command, blank)[0]?.[0] === 'curl')
}
