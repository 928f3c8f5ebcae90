// Runs one attack in a separate process until it receives `end`. Counts answers by status, and connections that the
// service closed as "closed".
import { answerMessages } from '../harness/partner.ts'
import { ATTACKS, type Attack } from './attack-loads.ts'
import type { Attackers, AttackName } from './attacks.ts'

type Question = { begin: { name: AttackName; url: string; attackers: Attackers } } | { end: true }

let running: Attack | undefined

answerMessages<Question>(async (question) => {
  if ('end' in question) {
    if (running) running.isOver = true
    return { answers: running?.answers ?? {} }
  }
  const { name, url, attackers } = question.begin
  running = { url, attackers, answers: {}, isOver: false }
  await ATTACKS[name](running)
  return { begun: true }
})
