/** What the browser's tab is called while a board is on the screen: its game, and whose turn it is. */

export const tab = $state({ name: "", mine: false });

/** Names the tab; what it returns takes the name away again. */
export function nameTab(name: string, mine = false): () => void {
  tab.name = name;
  tab.mine = mine;
  return () => {
    tab.name = "";
    tab.mine = false;
  };
}
