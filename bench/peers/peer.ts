// What a peer needs to be started, and what is known of it then.
import type { Child } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'
import type { Address } from './dialects.ts'
import type { PeerTable } from './people.ts'
import type { PeerName } from './versions.ts'

/** On our embedded server; `host` is the folder of its socket. */
export interface PeerConnection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface PeerPlace {
  folder: string
  port: number
  connection: PeerConnection
}

export interface OpenPeer {
  child: Child
  address: Address
  table: PeerTable
  /** Of person `n`, who is the nth row that was loaded. */
  idOf(n: number): string
  /** Made by hand after the rows, where the peer makes none. */
  indexes: readonly string[]
}

export interface Peer {
  name: PeerName
  /** Its program as for production, with its table made over its own API or from its own files. */
  open(lab: Lab, place: PeerPlace): Promise<OpenPeer>
}

/** Rows get numbers from 1. */
export const numbered = (n: number): string => String(n + 1)
