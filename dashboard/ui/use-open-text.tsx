// Typed text of a picker. It stays until an option is chosen. When the field is left, the picker takes the only option
// that the text can mean, or shows why there is none.
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { afterPress } from './after-press.ts'
import type { Found, Option } from './found-options.ts'
import { useTakeLeft } from './left-text.ts'
import { addOpenText, type Refusal } from './open-text.ts'

/** The initial text of a picker, after an earlier text was refused. */
export const FirstText = createContext<string | undefined>(undefined)

export interface Typing {
  /** undefined if nothing was typed since the last choice. */
  text: string | undefined
  set(text: string | undefined): void
}

export function useTyping(): Typing {
  const [text, set] = useState(useContext(FirstText))
  return { text, set }
}

/** The noun for the options, for error texts. */
export interface Nouns {
  one: string
  many: string
}

const OPTIONS: Nouns = { one: 'option', many: 'options' }

const folded = (text: string) => text.trim().toLowerCase()

/**
 * The only option that the text can mean: the only one with this name, otherwise the only result of a complete search.
 */
export function meaningOf(text: string, { options, isPartial = false }: Found): Option | undefined {
  const enabled = options.filter(({ disabled }) => !disabled)
  const named = enabled.filter(({ label }) => folded(label) === folded(text))
  const meant = named.length > 0 || isPartial ? named : enabled
  return meant.length === 1 ? meant[0] : undefined
}

function refusalOf(text: string, { options, isFresh, isPartial }: Found, { one, many }: Nouns): string {
  if (!isFresh) return `The ${many} could not be searched: try again`
  const typed = text.trim()
  if (isPartial) return `Not all ${many} were searched for “${typed}”: choose one, or type the whole name`
  return options.length === 0
    ? `No ${one} is called “${typed}”`
    : `Several ${many} match “${typed}”: choose one`
}

interface OpenText {
  typing: Typing
  /** The name of the chosen option. Typing it again changes nothing. */
  label: string
  found: Found
  take(option: Option): void
  nouns?: Nouns | undefined
  /** Shown with the refusal when no option was found. */
  offer?: ReactNode
  /** Closes the list, which would cover the refusal. */
  close(): void
}

/** Resolves waiting callers when the text was taken and rendered, or was refused. */
function useWaiting(isOpen: boolean, refusal: Refusal) {
  const waiting = useRef<((refusal: Refusal) => void)[]>([])
  const answer = (said: Refusal) => {
    for (const resolve of waiting.current.splice(0)) resolve(said)
  }
  useEffect(() => {
    if (!isOpen || refusal !== undefined) answer(refusal)
  })
  const end = useEffectEvent(answer)
  useEffect(() => () => end(undefined), [])
  return () => new Promise<Refusal>((resolve) => waiting.current.push(resolve))
}

/** Calls `act` each time `isSo` becomes true. */
function useWhen(isSo: boolean, act: () => void): void {
  const onChange = useEffectEvent(act)
  useEffect(() => {
    if (isSo) onChange()
  }, [isSo])
}

/** The meaning of the text. `said`: the reason why it has none, when the search has ended. */
function readText({ typing: { text = '' }, label, found, nouns = OPTIONS }: OpenText) {
  const isOpen = text.trim() !== '' && text !== label
  const isAnswered = isOpen && (found.isFresh || found.isFailed === true)
  const meaning = isOpen && found.isFresh ? meaningOf(text, found) : undefined
  return { isOpen, meaning, said: isAnswered && !meaning ? refusalOf(text, found, nouns) : undefined }
}

const withOffer = (refusal: Refusal, offer: ReactNode): ReactNode =>
  refusal && (
    <>
      {refusal} {offer}
    </>
  )

export function useOpenText(props: OpenText) {
  const { typing, found, offer, close } = props
  const take = useTakeLeft(props.take)
  const field = useRef<HTMLInputElement>(null)
  const [isAsked, setAsked] = useState(false)
  const { isOpen, meaning, said } = readText(props)
  const wait = useWaiting(isOpen, said)
  const ask = (now: (act: () => void) => void): Refusal | Promise<Refusal> => {
    if (meaning) now(() => take(meaning))
    if (!isOpen || meaning) return undefined
    setAsked(true)
    if (found.isFailed) found.retry?.()
    return said ?? wait()
  }
  const settle = useEffectEvent(() => ask(flushSync))
  useLayoutEffect(() => {
    if (isOpen && field.current) return addOpenText(field.current, () => settle())
    return undefined
  }, [isOpen])
  useEffect(() => {
    if (isAsked && meaning) take(meaning)
  })
  const leave = useEffectEvent(() => {
    const { current } = field
    // The field was removed, or has the focus again.
    if (!current || current === document.activeElement) return
    if (isOpen) void ask((act) => act())
    else typing.set(undefined)
  })
  const refusal = isAsked ? said : undefined
  const isNothing = refusal !== undefined && found.options.length === 0
  useWhen(refusal !== undefined, close)
  return {
    isOpen,
    problem: withOffer(refusal, isNothing && found.isFresh && offer),
    field,
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement>) => {
      setAsked(false)
      typing.set(currentTarget.value)
    },
    onBlur: () => {
      // The window lost the focus, not the field.
      if (!document.hasFocus()) return
      // The option is taken before the click acts. A refusal moves the content below, so it waits for the click.
      if (meaning) take(meaning)
      else afterPress(() => leave())
    },
  }
}
