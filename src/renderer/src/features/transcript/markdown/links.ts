/** Which addresses of a message lead anywhere (U-75, U-76). Everything else is shown as the words it has. */

/** Opens outside of the window when clicked. */
export const opens = (address: string): boolean => /^(?:https?:|mailto:|herma:)/i.test(address)

/** A picture that is here already and needs no network. */
export const isHere = (address: string): boolean => /^(?:data:image\/|blob:)/i.test(address)

/** What the parser keeps of an address. */
export const keptAddress = (address: string): string => (opens(address) || isHere(address) ? address : '')
