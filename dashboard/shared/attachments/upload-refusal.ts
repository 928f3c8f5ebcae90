// The reason why an upload failed, and what the user can do.

import { formatBytes } from '../../ui/bytes.ts'
import { ApiError, messageOf } from '../api/errors.ts'

const figure = (value: unknown) => (typeof value === 'number' ? formatBytes(value) : undefined)

function fullText({ details }: ApiError): string {
  const [used, limit] = [figure(details['usedBytes']), figure(details['limitBytes'])]
  const figures = used && limit ? `: ${used} of ${limit} are used` : ''
  return `The organization’s storage is full${figures}. Remove files and delete them from the trash, or ask the operator of the service for more.`
}

/** The service has the size limit only in its message. */
function tooLargeText(error: ApiError): string | undefined {
  const problem = error.problems.find(({ path, code }) => path === 'size' && code === 'maximum')
  if (!problem && error.status !== 413) return undefined
  const [, bytes] = /at most (\d+)/.exec(problem?.message ?? error.message) ?? []
  return bytes === undefined
    ? 'This file is too large'
    : `This file is too large: a file may have ${formatBytes(Number(bytes))}`
}

/** An upload of a folder, or of a file that was changed or moved, fails like a lost connection. */
export function uploadRefusal(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  if (error.code === 'storage_full') return fullText(error)
  const tooLarge = tooLargeText(error)
  if (tooLarge !== undefined) return tooLarge
  if (error.status === 0) return 'The connection was lost before the file was sent'
  if (error.code === 'unsupported_media_type') return 'The file is not what its name says it is'
  if (error.code === 'unknown' && error.status === 403) return 'The file storage rejected it: try again'
  return messageOf(error)
}
