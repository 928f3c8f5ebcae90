// The bytes of a file on their way out.
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { cutOffStalled } from '../http/unsent-answers.ts'
import { giveBack } from './memory.ts'

/**
 * Sends what the source reads, whose pieces must have no other holder: the memory of each is given back once it is sent.
 * The response's head is written already. When either ends early, so does the other.
 * @param onError hears of a source that fails half-way
 */
export function sendPieces(
  source: Readable,
  response: ServerResponse,
  onError: (error: Error) => void,
): void {
  // The client may have disconnected before the file was open.
  if (response.destroyed) source.destroy()
  cutOffStalled(response)
  source.on('data', (piece: Buffer) => {
    const isTaken = response.write(piece, (error) => {
      if (!error) giveBack(piece)
    })
    if (!isTaken) source.pause()
  })
  response.on('drain', () => source.resume())
  response.on('close', () => source.destroy())
  source.on('end', () => response.end())
  source.on('error', (error) => {
    onError(error)
    response.destroy()
  })
}
