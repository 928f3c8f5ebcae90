// The input for starting a peer, and the properties of a started peer.
import type { Child } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'
import type { Address } from './dialects.ts'
import type { PeerTable } from './people.ts'
import type { PeerName } from './versions.ts'

/** A database on the embedded server of the service; `host` is the folder of its socket. */
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
  /** Id of person `n`, counted from 0 in the order of loading. */
  idOf(n: number): string
  /** Statements that make indexes after the rows are loaded, where the peer makes none. */
  indexes: readonly string[]
}

export interface Peer {
  name: PeerName
  /** Starts its program as in production, and makes the table by its API or from its files. */
  open(lab: Lab, place: PeerPlace): Promise<OpenPeer>
}

/** Id of person `n` in peers that number their rows from 1. */
export const numbered = (n: number): string => String(n + 1)
