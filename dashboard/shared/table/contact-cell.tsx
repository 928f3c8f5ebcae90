// An email address or phone number: a link, and a button that copies it.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import classes from './cell.module.css'

const COPIED_MS = 1500

export function ContactCell({ scheme, text }: { scheme: 'mailto' | 'tel'; text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(setCopied, COPIED_MS, false)
  }
  const Icon = isCopied ? Check : Copy
  const label = isCopied ? 'Copied' : `Copy ${text}`
  return (
    <>
      <a
        className="truncate underlined"
        href={`${scheme}:${text.replace(/\s/g, '')}`}
        title={text}
        tabIndex={-1}
      >
        {text}
      </a>
      <button
        type="button"
        className={classes.button}
        onClick={() => void copy()}
        aria-label={label}
        title={label}
        tabIndex={-1}
      >
        <Icon size={13} aria-hidden />
      </button>
    </>
  )
}
