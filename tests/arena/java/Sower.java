import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;

/** A Kalah engine in Java that speaks UCI: chatty, a little late, and content with any legal move. */
public class Sower {
    static final int PITS = 6, STORE = 6, ROUND = 14;
    static int[] board = new int[ROUND]; // South's pits and store, then North's
    static int turn;

    public static void main(String[] words) throws Exception {
        System.err.println("Sower starts");
        System.out.println("Sower 1.0, all rights given away");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] told = line.trim().split("\\s+");
            switch (told[0]) {
                case "uci":
                    System.out.println("id name Sower\nuciok");
                    break;
                case "isready":
                    System.out.println("readyok");
                    break;
                case "position":
                    set(told);
                    break;
                case "go":
                    think(told);
                    break;
                case "quit":
                    return;
                default:
                    break;
            }
        }
    }

    static void set(String[] told) {
        Arrays.fill(board, 4);
        board[STORE] = board[ROUND - 1] = 0;
        turn = 0;
        for (int at = Arrays.asList(told).indexOf("moves") + 1; at > 0 && at < told.length; at++) {
            play(Character.toLowerCase(told[at].charAt(0)) - 'a');
        }
    }

    static void play(int pit) {
        int from = turn * (PITS + 1) + pit, own = turn * (PITS + 1) + STORE, seeds = board[from];
        board[from] = 0;
        int at = from;
        while (seeds > 0) {
            at = (at + 1) % ROUND;
            if (at != (own + PITS + 1) % ROUND) {
                board[at]++;
                seeds--;
            }
        }
        boolean mine = at != own && at / (PITS + 1) == turn;
        int across = 2 * PITS - at;
        if (mine && board[at] == 1 && board[across] > 0) {
            board[own] += 1 + board[across];
            board[at] = board[across] = 0;
        }
        if (at != own) {
            turn = 1 - turn;
        }
    }

    static void think(String[] told) throws InterruptedException {
        int at = Arrays.asList(told).indexOf("movetime");
        Thread.sleep((at < 0 ? 0 : Integer.parseInt(told[at + 1])) + 30); // 30 ms too long
        int pit = 0;
        while (pit < PITS - 1 && board[turn * (PITS + 1) + pit] == 0) {
            pit++;
        }
        System.out.println("bestmove " + (char) ((turn == 0 ? 'A' : 'a') + pit));
    }
}
