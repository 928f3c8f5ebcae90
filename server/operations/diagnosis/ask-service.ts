// Used by commands: finds the services that run with a DATA_DIR on this machine, and requests their reports.
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../base/error-code.ts'
import type { Finding } from './finding.ts'
import type { ServiceFacts, ServiceReport } from './report.ts'
import { asServiceUser, SOCKET, socketFolder, usablePath } from './socket-path.ts'

/** A process whose event loop runs answers within milliseconds. */
const FACTS_MS = 5000
/** Longer than all checks together. */
const REPORT_MS = 120_000

const FAILED = 500

const check = 'service'

/** The service has answered that it could not examine itself. */
class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

function readMessage(status: number | undefined, body: string): string {
  if (status !== FAILED) return `it responded with ${status}`
  const { message }: { message: string } = JSON.parse(body)
  return message
}

async function ask<Answer>(folder: string, name: string, address: string, ms: number): Promise<Answer> {
  const { path, close } = await usablePath(folder, name)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const asked = request({ socketPath: path, path: address, timeout: ms, agent: false }, (response) => {
    const { statusCode } = response
    const read = (body: string) => {
      if (statusCode !== 200) throw new ServiceError(readMessage(statusCode, body))
      resolve(body)
    }
    text(response).then(read).catch(reject)
  })
  asked.once('timeout', () => asked.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
  asked.once('error', reject)
  asked.end()
  return JSON.parse(await promise.finally(close)) as Answer
}

/** Why a service did not answer; undefined: no process listens any more. */
export function judgeSilence(
  code: string | undefined,
  { pid, dataDir }: { pid: string; dataDir: string },
): Finding | undefined {
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return undefined
  const failed = { check, status: 'fail' } as const
  if (code === 'EACCES' || code === 'EPERM')
    return {
      ...failed,
      detail: `this user may not ask the service (process ${pid})`,
      advice: asServiceUser(dataDir),
    }
  return {
    ...failed,
    detail: `the process ${pid} of the service does not respond${code === undefined ? '' : ` (${code})`}: it hangs, or has no processor time`,
    advice: `see what it does (top -p ${pid}), then restart the service: work in progress is taken over, and no acknowledged write is lost`,
  }
}

function judgeFailure(error: unknown, place: { pid: string; dataDir: string }): Finding | undefined {
  if (!(error instanceof ServiceError)) return judgeSilence(errorCode(error), place)
  return {
    ...{ check, status: 'fail' },
    detail: `the process ${place.pid} of the service could not examine itself: ${error.message}`,
    advice: 'see its log for the line "the service could not examine itself"',
  }
}

export interface ServiceAnswers<Answer> {
  answers: Answer[]
  /** Problems of services that did not answer. */
  problems: Finding[]
}

async function names(folder: string, dataDir: string): Promise<ServiceAnswers<string>> {
  try {
    const all = await readdir(folder)
    return { answers: all.filter((name) => SOCKET.test(name)).sort(), problems: [] }
  } catch (error) {
    const problem = judgeSilence(errorCode(error), { pid: 'unknown', dataDir })
    return { answers: [], problems: errorCode(error) === 'ENOTDIR' || problem === undefined ? [] : [problem] }
  }
}

/** Requests a report from every service with this DATA_DIR on this machine, through its socket. */
export async function askServices(dataDir: string): Promise<ServiceAnswers<ServiceReport>> {
  const folder = socketFolder(dataDir)
  const found = await names(folder, dataDir)
  const asked: ServiceAnswers<ServiceReport> = { answers: [], problems: found.problems }
  await Promise.all(
    found.answers.map(async (name) => {
      try {
        // First the request that takes no time, so that a hanging process is found within seconds.
        await ask<ServiceFacts>(folder, name, '/facts', FACTS_MS)
        asked.answers.push(await ask<ServiceReport>(folder, name, '/report', REPORT_MS))
      } catch (error) {
        const pid = SOCKET.exec(name)?.[1] ?? 'unknown'
        const problem = judgeFailure(error, { pid, dataDir })
        if (problem) asked.problems.push(problem)
      }
    }),
  )
  return { ...asked, answers: asked.answers.sort((a, b) => a.service.pid - b.service.pid) }
}
